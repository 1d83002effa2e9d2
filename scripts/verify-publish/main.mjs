// What a stranger would see if all packages were published now: builds and packs them, checks what is
// packed, publishes it to a registry on loopback, and uses each of them in a folder of its own.
import { rmSync } from "node:fs";
import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkTarball } from "./check-tarball.mjs";
import { createConsumer, installTools } from "./consumers.mjs";
import { findNodes } from "./nodes.mjs";
import { build, pack, pnpm } from "./pack.mjs";
import { prove } from "./proofs.mjs";
import { startRegistry } from "./registry.mjs";
import { forEach } from "./run.mjs";

const begin = performance.now();
const folder = await mkdtemp(join(tmpdir(), "verify-publish-"));
const at = (name) => join(folder, name);
process.on("exit", () => {
  if (process.argv.includes("--keep")) console.log(`Kept: ${folder}`);
  else rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(130));

async function step(title, work) {
  const start = performance.now();
  process.stdout.write(`${title} … `);
  try {
    const result = await work();
    console.log(`${((performance.now() - start) / 1000).toFixed(1)} s`);
    return result;
  } catch (error) {
    console.log("failed");
    throw error;
  }
}

async function verify() {
  await step("build", build);
  await mkdir(at("tarballs"));
  const packed = await step("pack", () => pack(at("tarballs")));
  await step("check what is packed", () => forEach(packed, checkTarball));
  await step("the API's pages", () => pnpm(["docs:api"]));
  const nodes = await step("fetch the least Node", () => findNodes(at("nodes")));
  await mkdir(at("registry"));
  const registry = await step("start a registry", () => startRegistry(at("registry")));
  try {
    await step("publish", () => forEach(packed, registry.publish));
    const parent = at("consumers");
    await installTools(parent);
    const options = { parent, npmrc: registry.npmrc, node: nodes[0] };
    await step(`install each alone on Node ${nodes[0].version}, and compile`, () =>
      forEach(packed, (one) => createConsumer(one, options)),
    );
    for (const node of nodes) {
      await step(`run each on Node ${node.version}`, async () => {
        // One after the other: several of them use the gateway's database.
        for (const { shortName } of packed) await prove(shortName, node, parent);
      });
    }
  } finally {
    await registry.close();
  }
}

try {
  await verify();
  console.log(
    `All packages can be published (${Math.round((performance.now() - begin) / 1000)} s).`,
  );
} catch (error) {
  console.error(`\n${error.message}\n\nverify:publish failed.`);
  process.exitCode = 1;
}
