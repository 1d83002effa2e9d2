import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { startProcess } from "@proj/test-kit";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const packages = globSync("packages/*/*/package.json", { cwd: root })
  .toSorted()
  .map((file) => ({ folder: join(root, dirname(file)), manifest: readManifest(join(root, file)) }))
  .filter(({ manifest }) => !manifest.private);

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  /** Entries with a source for each runtime are a package's own business. */
  readonly exports: Readonly<Record<string, { readonly "@proj/source"?: string | object }>>;
}

function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Other entries are run by a thread or a process of its own, or measure. */
const isLibrary = (entry: string): boolean => !/worker|guardian|bench/.test(entry);

// `npm test -- --update` in this folder rewrites the file.
test("the public names change only on purpose", async () => {
  const lines: string[] = [];
  for (const { folder, manifest } of packages)
    for (const [entry, { "@proj/source": source }] of Object.entries(manifest.exports)) {
      if (!isLibrary(entry) || typeof source !== "string" || !source.endsWith(".ts")) continue;
      const names = Object.keys(await import(pathToFileURL(join(folder, source)).href)).sort();
      lines.push(`${manifest.name}${entry.slice(1)}`, ...names.map((name) => `  ${name}`), "");
    }
  await expect(lines.join("\n")).toMatchFileSnapshot("../public-names.txt");
});

/** These need a server, which their package's own tests start. */
const needServers = [
  "gateway/launcher-client/examples/quickstart.ts",
  "trading/client/examples/quickstart.ts",
  "trading/client/examples/moving-average.ts",
];

describe.each(packages)("$manifest.name", ({ folder }) => {
  const examples = globSync("examples/*.ts", { cwd: folder }).toSorted();

  test("has a quick start, and its README shows its examples or links to them", () => {
    expect(examples).toContain("examples/quickstart.ts");
    const readme = readFileSync(join(folder, "README.md"), "utf8");
    for (const example of examples.filter((path) => !readme.includes(`](${path})`)))
      expect(readme).toContain(`\`\`\`ts\n${readFileSync(join(folder, example), "utf8")}\`\`\``);
  });

  test.each(
    examples.filter((example) => !needServers.some((path) => join(folder, example).endsWith(path))),
  )("%s runs, and its assertions hold", async (example) => {
    await using program = startProcess([join(folder, example)]);
    expect(await program.exit()).toEqual({ code: 0, signal: null });
  });
});
