import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const { packageManager } = readJson(join(root, "package.json"));

/** Every published package and app of a clone, with its folder, its package.json and its tag. */
export function findPublicPackages(clone) {
  return globSync("{packages/*,apps}/*/package.json", { cwd: clone })
    .toSorted()
    .map((file) => join(clone, dirname(file)))
    .map((folder) => ({ folder, manifest: readJson(join(folder, "package.json")) }))
    .filter(({ manifest }) => manifest.private !== true)
    .map(({ folder, manifest }) => ({
      folder,
      manifest,
      name: manifest.name,
      shortName: manifest.name.split("/").at(-1),
      /** `app`, `client`, `server` or `library`, as `turbo boundaries` knows them. */
      tag: readJson(join(folder, "turbo.json")).tags[0],
    }));
}

export const publicPackages = findPublicPackages(root);

/** `@proj`, or the scope that replaced it. */
export const [scope] = publicPackages[0].name.split("/");

export function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}
