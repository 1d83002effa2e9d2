import { execFile } from "node:child_process";
import { access } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const cache = fileURLToPath(new URL("../../../node_modules/.cache/programs", import.meta.url));

/**
 * Installs a program from npm into a cache folder of this machine, where it is not there yet.
 * @returns the folder of its executables; null: it cannot be had here
 */
export async function npmProgram(npmPackage: string, version: string): Promise<string | null> {
  const folder = `${cache}/${npmPackage.replace("/", "+")}@${version}`;
  const bin = `${folder}/node_modules/.bin`;
  const isThere = (): Promise<boolean> =>
    access(`${folder}/package-lock.json`).then(
      () => true,
      () => false,
    );
  if (await isThere()) return bin;
  const options = ["--prefix", folder, "--no-audit", "--no-fund", "--loglevel=error"];
  await promisify(execFile)("npm", ["install", ...options, `${npmPackage}@${version}`], {
    timeout: 180_000,
  }).catch((error: unknown) => console.warn(`Cannot install ${npmPackage}: ${String(error)}`));
  return (await isThere()) ? bin : null;
}
