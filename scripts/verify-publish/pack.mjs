import { createHash } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
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

/** Writes `SHA256SUMS` beside tarballs, as `sha256sum --check` reads it. */
export async function writeSums(folder, packed) {
  const lines = await Promise.all(
    packed.map(async ({ tarball }) => {
      const sum = createHash("sha256")
        .update(await readFile(tarball))
        .digest("hex");
      return `${sum}  ${basename(tarball)}\n`;
    }),
  );
  await writeFile(join(folder, "SHA256SUMS"), lines.join(""));
}

function tarballName({ name, manifest }) {
  return `${name.slice(1).replace("/", "-")}-${manifest.version}.tgz`;
}
