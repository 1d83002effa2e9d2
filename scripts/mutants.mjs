// Changes sources in many small ways, one at a time, with Stryker, and lists the changes that no test notices.
// tests/survivors.md has what it found. It works in a clone of the last commit, in FOLDER or a new one:
//
//   node scripts/mutants.mjs resource-router|training|sequences|queries [FOLDER]
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const version = "10.1.1";
/** One of `every` windows of this many lines is changed, counted through a part's files in alphabetical order. */
const windowLines = 8;

/** Those that start no gateway, but for one: a change takes seconds under them, and minutes under all. */
const withoutGateway = [
  "exported-values",
  "follow-job",
  "forked-rollouts",
  "functions-of",
  "parquet",
  "recompute-job",
  "reconstruct.pypi",
  "rollout-lines",
  "rollouts",
  "said",
  "weight-ages",
  "why-nothing",
];

/** `sources`: how the names of a part's files begin. */
const targets = {
  "resource-router": {
    folder: "packages/router/resource-router",
    every: 16,
    parts: [
      { sources: ["src/"], tests: ["test/**/*.test.ts"] },
      {
        sources: ["src/answer/entity-tag"],
        tests: ["test/**/*.test.ts"],
        every: 1,
      },
    ],
  },
  training: {
    folder: "packages/gateway/launcher-client",
    every: 8,
    parts: [
      { sources: ["src/reward/"], tests: ["test/reward/*.test.ts"] },
      {
        sources: ["src/training/"],
        tests: withoutGateway.map((test) => `test/training/${test}.test.ts`),
      },
    ],
  },
  sequences: {
    folder: "packages/gateway/sequences",
    every: 6,
    parts: [{ sources: ["src/"], tests: ["test/**/*.test.ts"] }],
  },
  // Threads run the queries, and threads report no coverage: each is changed under the tests that are about it.
  queries: {
    folder: "packages/gateway/store",
    every: 4,
    inThreads: true,
    parts: Object.entries({
      "jobs/job-feed": ["jobs/read-feed", "jobs/finish-group"],
      "jobs/claim": ["jobs/claim", "jobs/add-simulations", "jobs/order-of-claims"],
      "jobs/commit-reward": ["jobs/commit-reward", "jobs/write-reward"],
      "jobs/replace-reward": ["jobs/replace-reward"],
      "jobs/fail": ["jobs/fail-attempt", "jobs/retry-failed", "jobs/add-next-attempt"],
      "jobs/interrupt": ["jobs/interrupt", "jobs/heartbeat"],
      "jobs/read-jobs": [
        "jobs/read-jobs",
        "jobs/read-environments",
        "jobs/read-attempts",
        "jobs/find-step",
      ],
      "jobs/read-usage": ["jobs/read-usage"],
      "{browse,neighbours}": ["browse/"],
      prune: ["prune/"],
      "jobs/scores": ["scores/"],
      "session-forks": ["forks/"],
      "read-steps": ["read-steps"],
      "read-session": ["read-session"],
      histories: ["whole-histories"],
    }).map(([test, names]) => ({
      sources: names.map((name) => `src/queries/${name}`),
      tests: [`test/stores/${test}.test.ts`],
    })),
  },
};

const [name = "", clone = mkdtempSync(join(tmpdir(), "mutants-"))] = process.argv.slice(2);
const target = targets[name];
if (target === undefined) {
  console.error(`Usage: node scripts/mutants.mjs ${Object.keys(targets).join("|")} [FOLDER]`);
  process.exit(2);
}
const folder = join(clone, target.folder);
const run = (cwd, program, ...args) => execFileSync(program, args, { cwd, stdio: "inherit" });

if (!existsSync(join(clone, "node_modules/@stryker-mutator"))) {
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const parts = ["core", "vitest-runner"].map((part) => `@stryker-mutator/${part}@${version}`);
  run(root, "git", "clone", "--quiet", "--shared", ".", clone);
  run(clone, "npx", "--yes", packageManager, "add", "--workspace-root", "--save-dev", ...parts);
  run(clone, "npx", "--yes", packageManager, "install", "--no-frozen-lockfile");
}

/** Stryker's names for the lines that are changed. */
function windowsIn({ sources, every = target.every }) {
  const files = readdirSync(join(folder, "src"), { recursive: true })
    .map((file) => `src/${file}`)
    .filter((file) => file.endsWith(".ts") && sources.some((source) => file.startsWith(source)))
    .sort();
  const linesOf = (file) => readFileSync(join(folder, file), "utf8").split("\n");
  const lines = files.flatMap((file) =>
    linesOf(file).map((_, index) => ({ file, line: index + 1 })),
  );
  const first = lines.filter((_, index) => index % (windowLines * every) === 0);
  return first.map(({ file, line }) => `${file}:${line}-${line + windowLines - 1}`);
}

/** Vitest's settings of the package, for some of its tests. A thread learns of its mutant from the environment. */
const settings = (tests) => `import own from "./vitest.config.ts";
const { projects, globalSetup = [], setupFiles = [], ...test } = own.test;
export default {
  ...own,
  test: {
    ...test,
    reporters: [],
    include: ${JSON.stringify(tests)},
    env: { ...test.env, TEST_STORE: "sqlite" },
    globalSetup: globalSetup.filter((file) => !file.includes("postgres")),
    setupFiles: [...setupFiles${target.inThreads ? ', "./mutants-setup.ts"' : ""}],
  },
};
`;
const setup = `import { afterAll, inject } from "vitest";
process.env.__STRYKER_ACTIVE_MUTANT__ = (inject as (name: string) => string | undefined)("activeMutant") ?? "none";
// What this thread covers says nothing about the others: without it, every test runs.
afterAll(() => void delete (globalThis as { __stryker__?: { mutantCoverage?: object } }).__stryker__?.mutantCoverage);
`;

for (const [index, part] of target.parts.entries()) {
  writeFileSync(join(folder, "vitest.mutants.ts"), settings(part.tests));
  writeFileSync(join(folder, "mutants-setup.ts"), setup);
  const options = {
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner"],
    vitest: { configFile: "vitest.mutants.ts", related: false },
    inPlace: true,
    disableTypeChecks: false,
    coverageAnalysis: target.inThreads ? "off" : "perTest",
    concurrency: 1,
    timeoutMS: 10_000,
    mutate: windowsIn(part),
    reporters: ["json", "clear-text", "progress-append-only"],
    clearTextReporter: { logTests: false, reportTests: false },
    jsonReporter: { fileName: `${clone}/${name}-${index}.json` },
  };
  writeFileSync(join(folder, "stryker.config.json"), JSON.stringify(options));
  run(folder, "npx", "--no", "stryker", "run");
}
console.log(`Every change and what became of it: ${clone}/${name}-*.json`);
