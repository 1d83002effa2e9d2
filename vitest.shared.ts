import { fileURLToPath } from "node:url";
import { defineConfig, type ViteUserConfig } from "vitest/config";

// `import`, `require` and `default` are added as the case may be; named here, they would hold for both.
const conditions: string[] = ["@proj/source", "node"];
const nodeMajor = Number(process.versions.node.split(".", 1)[0]);

const cached = (name: string): string =>
  fileURLToPath(new URL(`node_modules/.cache/${name}`, import.meta.url));

/** What every package's one-line `vitest.config.ts` re-exports. */
const shared: ViteUserConfig = defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    // Loading what a package is made of takes longer than most test files: it is loaded once.
    isolate: false,
    // Node strips types itself; Vite would transform every module, and link each import, once more. It is still
    // needed where Node does not know `await using`.
    experimental: { viteModuleRunner: nodeMajor < 24 },
    // Worker threads and child processes that tests start resolve packages to source as well.
    execArgv: ["--conditions=@proj/source"],
    // Tests start many programs of the same sources: what Node or Python compiled once is kept, and not beside the
    // sources. Images of containers often tell Python to keep nothing: importing torch then takes twice as long.
    env: {
      NODE_COMPILE_CACHE: cached("compiled"),
      PYTHONPYCACHEPREFIX: cached("compiled-python"),
      PYTHONDONTWRITEBYTECODE: "",
    },
    // The totals over all packages are read from these files.
    reporters: ["default", ["json", { outputFile: "test-results.json" }]],
    // Bounds for what hangs, not for what is slow: a busy machine takes ten times as long for everything. What
    // waits for a condition gives up first, because it can say what it waited for.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 45_000 } },
  },
});

export default shared;
