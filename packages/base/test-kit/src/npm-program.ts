import { execFile } from "node:child_process";
import { access, rename, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const cache = fileURLToPath(new URL("../../../../node_modules/.cache/programs", import.meta.url));

/**
 * Installs a program from npm into a cache folder of this machine, unless it is there already. Several processes
 * may do so at once: an installation becomes visible only when it is complete.
 * @returns the folder of its executables; null: it cannot be installed here
 */
export async function npmProgram(npmPackage: string, version: string): Promise<string | null> {
  const folder = `${cache}/${npmPackage.replace("/", "+")}@${version}`;
  if (!(await isThere(folder))) await install(`${npmPackage}@${version}`, folder);
  return (await isThere(folder)) ? `${folder}/node_modules/.bin` : null;
}

const isThere = (folder: string): Promise<boolean> =>
  access(`${folder}/package-lock.json`).then(
    () => true,
    () => false,
  );

async function install(named: string, folder: string): Promise<void> {
  const own = `${folder}.${process.pid}`;
  const options = ["--prefix", own, "--no-audit", "--no-fund", "--loglevel=error"];
  try {
    await promisify(execFile)("npm", ["install", ...options, named], { timeout: 180_000 });
    // Fails if another process was faster.
    await rename(own, folder);
  } catch (error) {
    if (!(await isThere(folder))) console.warn(`Cannot install ${named}: ${String(error)}`);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}
