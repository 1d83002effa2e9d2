import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { packageManager, publicPackages, root } from "./packages.mjs";
import { run, withNode } from "./run.mjs";

const env = withNode(dirname(process.execPath));

export function pnpm(args, cwd = root) {
  return run("npx", ["--yes", packageManager, ...args], { cwd, env, timeoutMs: 300_000 });
}

/** Builds from scratch: a file whose source is gone must not be packed. */
export async function build() {
  for (const { folder } of publicPackages)
    await rm(join(folder, "dist"), { recursive: true, force: true });
  await pnpm(["exec", "turbo", "run", "build", "--concurrency=2"]);
}

/** Packs all packages into a folder. Resolves with the packages, each with its `tarball`. */
export async function pack(folder) {
  const filters = publicPackages.map(({ name }) => `--filter=${name}`);
  await pnpm(["-r", ...filters, "pack", "--pack-destination", folder]);
  return publicPackages.map((published) => ({
    ...published,
    tarball: join(folder, tarballName(published)),
  }));
}

function tarballName({ name, manifest }) {
  return `${name.slice(1).replace("/", "-")}-${manifest.version}.tgz`;
}
