import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { bundleModules, bundleName } from "../../src/bundles/bundle-modules.ts";
import { startProcess, type TemporaryFolder, temporaryFolder } from "../../src/index.ts";

interface Workspace extends TemporaryFolder {
  write(files: Readonly<Record<string, string>>): Promise<void>;
  /** Bundles a module of the package and runs it to its end. @returns what it prints */
  run(module: string): Promise<string>;
}

/** A workspace with one package. */
async function workspace(): Promise<Workspace> {
  const folder = await temporaryFolder();
  const at = (path: string): string => join(folder.path, "packages/one", path);
  return {
    ...folder,
    write: async (files) => {
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(at(path)), { recursive: true });
        await writeFile(at(path), text);
      }
    },
    run: async (module) => {
      await using bundles = await temporaryFolder();
      await bundleModules([at(module)], bundles.path);
      await using program = startProcess([join(bundles.path, bundleName(module))]);
      expect(await program.exit(), program.output).toEqual({ code: 0, signal: null });
      return program.stdout;
    },
  };
}

test("a bundle has the current sources, and finds the files beside them", async () => {
  await using one = await workspace();
  await one.write({
    "src/main.ts": `
      import { readFileSync } from "node:fs";
      import { word } from "./word.ts";
      console.log(word, readFileSync(new URL("../beside.txt", import.meta.url), "utf8"));
    `,
    "src/word.ts": `export const word: string = "first";`,
    "beside.txt": "beside",
  });
  expect(await one.run("src/main.ts")).toBe("first beside\n");
  await one.write({ "src/word.ts": `export const word: string = "second";` });
  expect(await one.run("src/main.ts")).toBe("second beside\n");
});

const packageWith = (...threads: string[]): string => {
  const exports = threads.map((name) => [`./${name}`, { "@proj/source": `./src/${name}.ts` }]);
  return JSON.stringify({ name: "one", type: "module", exports: Object.fromEntries(exports) });
};

test("a bundle starts bundles of its threads, also of one that starts itself", async () => {
  await using one = await workspace();
  const start = `new Worker(new URL(import.meta.resolve("one/thread")), { workerData: isInner })`;
  await one.write({
    "package.json": packageWith("thread"),
    "src/main.ts": `import { Worker } from "node:worker_threads"; const isInner = false; ${start};`,
    "src/thread.ts": `
      import { Worker, workerData } from "node:worker_threads";
      console.log("thread", workerData);
      const isInner = true;
      if (!workerData) ${start};
    `,
  });
  expect(await one.run("src/main.ts")).toBe("thread false\nthread true\n");
});

test("two modules that would have the same bundle are refused", async () => {
  await using one = await workspace();
  await one.write({
    "package.json": packageWith("a/thread", "b/thread"),
    "src/main.ts": `import.meta.resolve("one/a/thread"); import.meta.resolve("one/b/thread");`,
    "src/a/thread.ts": "",
    "src/b/thread.ts": "",
  });
  await expect(one.run("src/main.ts")).rejects.toThrow(/one name/);
});
