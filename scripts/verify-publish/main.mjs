// Shows what a new user would get if all packages were published now: builds and packs them, checks the
// tarballs, publishes them to a registry on loopback, and uses each package in a separate folder.
//
//   npm run verify:publish [-- --tarballs DIR] [--keep]
//
// With --tarballs, the very tarballs that passed are there afterwards, with their sums.
import { rmSync } from "node:fs";
import { cp, mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { checkTarball } from "./check-tarball.mjs";
import { compileConsumer, createConsumer, installTypes } from "./consumers.mjs";
import { findNodes } from "./nodes.mjs";
import { build, pack, pnpm, writeSums } from "./pack.mjs";
import { prove, proveTooOld } from "./proofs.mjs";
import { startRegistry } from "./registry.mjs";
import { forEach } from "./run.mjs";
import { step } from "./step.mjs";

const { values: options } = parseArgs({
  options: { tarballs: { type: "string" }, keep: { type: "boolean" } },
});
const begin = performance.now();
const folder = await mkdtemp(join(tmpdir(), "verify-publish-"));
const at = (name) => join(folder, name);
process.on("exit", () => {
  if (options.keep) console.log(`Kept: ${folder}`);
  else rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(130));

async function verify() {
  await step("build", build);
  await mkdir(at("tarballs"));
  const packed = await step("pack", () => pack(at("tarballs")));
  await step("check the tarballs", () => forEach(packed, checkTarball));
  await step("build the API reference", () => pnpm(["docs:api"]));
  const nodes = await step("fetch the oldest supported Node and an older one", () =>
    findNodes(at("nodes")),
  );
  await mkdir(at("registry"));
  const registry = await step("start a registry", () => startRegistry(at("registry")));
  try {
    await step("publish", () => forEach(packed, registry.publish));
    for (const [installer, node] of [
      ["npm", nodes.least],
      ["pnpm", nodes.newest],
    ]) {
      const parent = at(`${installer}-consumers`);
      await mkdir(parent);
      const where = { parent, npmrc: registry.npmrc, node, installer };
      await step(`install each alone with ${installer}`, () =>
        forEach(packed, (one) => createConsumer(one, where)),
      );
      await step("compile each", async () => {
        await installTypes(parent);
        await forEach(packed, (one) => compileConsumer(one, parent));
      });
      await step(`run each on Node ${node.version}`, async () => {
        // One after the other, because several of them use the gateway's database.
        for (const { shortName } of packed) await prove(shortName, node, parent);
      });
    }
    await step(`start each program on Node ${nodes.old.version}`, () =>
      forEach(
        packed.filter(({ tag }) => tag === "app"),
        (one) => proveTooOld(one, nodes.old, at("npm-consumers")),
      ),
    );
  } finally {
    await registry.close();
  }
  if (options.tarballs !== undefined) {
    await writeSums(at("tarballs"), packed);
    await cp(at("tarballs"), resolve(options.tarballs), { recursive: true });
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
