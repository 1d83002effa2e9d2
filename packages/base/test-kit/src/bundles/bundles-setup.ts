import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../temporary-folder.ts";
import { bundleModules, bundleName } from "./bundle-modules.ts";

const cache = fileURLToPath(new URL("../../../../../node_modules/.cache/threads", import.meta.url));

const weekMs = 7 * 24 * 60 * 60 * 1_000;

/** What is used of Vitest's `TestProject`. */
interface Project {
  readonly config: { readonly env: Readonly<Record<string, unknown>> };
  onTestsRerun(listener: () => Promise<void>): void;
}

/** What `vitest.bundled.ts` asks for in the variable `TO_BUNDLE`. */
export interface ToBundle {
  readonly programs: readonly string[];
  /** Modules by the names that they are started by. */
  readonly threads: Readonly<Record<string, string>>;
}

/**
 * A global set-up for Vitest: bundles programs and threads for the tests, because a start from hundreds of modules takes
 * twice the CPU. Every run of tests bundles the current sources, so no test can get an older bundle. `TEST_BUNDLES`
 * tells the tests where the bundles are.
 * @returns a function that removes the programs' bundles
 */
export async function setup(project: Project): Promise<() => Promise<void>> {
  const folder = await temporaryFolder();
  const { programs, threads }: ToBundle = JSON.parse(String(project.config.env.TO_BUNDLE));
  const bundle = async (): Promise<void> => {
    const entries: [string, string][] = [];
    // Each in its own folder: they may have files of the same name.
    for (const [index, path] of programs.entries()) {
      const own = join(folder.path, String(index));
      await bundleModules([path], own);
      entries.push([path, join(own, bundleName(path))]);
    }
    const own = await bundleThreads(Object.values(threads));
    for (const [name, path] of Object.entries(threads))
      entries.push([name, join(own, bundleName(path))]);
    process.env.TEST_BUNDLES = JSON.stringify(Object.fromEntries(entries));
  };
  await bundle();
  project.onTestsRerun(bundle);
  return () => folder.remove();
}

/**
 * Threads run in the process of the tests, and Node finds the code that it compiled for them by a file's path. So their
 * folder is kept, and is named after its content: another content never gets its name.
 * @returns the folder
 */
async function bundleThreads(paths: readonly string[]): Promise<string> {
  await mkdir(cache, { recursive: true });
  await using folder = await temporaryFolder(cache);
  await bundleModules(paths, folder.path);
  const hash = createHash("sha256");
  for (const name of (await readdir(folder.path)).sort())
    hash.update(`${name}\n`).update(await readFile(join(folder.path, name)));
  const kept = join(cache, hash.digest("hex").slice(0, 32));
  // It fails if the same bundles were made before.
  await rename(folder.path, kept).catch(() => stat(kept));
  const now = new Date();
  await utimes(kept, now, now);
  await removeUnused();
  return kept;
}

/** Removes the threads of sources that no run has had for a week. */
async function removeUnused(): Promise<void> {
  for (const name of await readdir(cache)) {
    const folder = join(cache, name);
    const used = await stat(folder).catch(() => null);
    if (used !== null && Date.now() - used.mtimeMs > weekMs)
      await rm(folder, { recursive: true, force: true });
  }
}
