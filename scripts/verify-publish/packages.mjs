import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const { packageManager } = readJson(join(root, "package.json"));

/** Every package and app that is published: its folder and its package.json. */
export const publicPackages = ["packages", "apps"]
  .flatMap((parent) => readdirSync(join(root, parent)).map((name) => join(root, parent, name)))
  .map((folder) => ({ folder, manifest: readJson(join(folder, "package.json")) }))
  .filter(({ manifest }) => manifest.private !== true)
  .map(({ folder, manifest }) => ({
    folder,
    manifest,
    name: manifest.name,
    shortName: manifest.name.replace("@proj/", ""),
  }));

export function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}
