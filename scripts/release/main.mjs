// Rehearses a whole release from a clean clone, against a registry on loopback: install, test, version, tag,
// publish, and install as a new user; then a change, the next release, and the user's upgrade. At the end the
// clone gets another scope.
//
//   npm run verify:release [-- --without-tests] [--keep]
import { rmSync } from "node:fs";
import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../verify-publish/packages.mjs";
import { startRegistry } from "../verify-publish/registry.mjs";
import { step } from "../verify-publish/step.mjs";
import { cloneRepository } from "./clone.mjs";
import { Stranger } from "./stranger.mjs";

const begin = performance.now();
const folder = await mkdtemp(join(tmpdir(), "verify-release-"));
const at = (name) => join(folder, name);
process.on("exit", () => {
  if (process.argv.includes("--keep")) console.log(`Kept: ${folder}`);
  else rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(130));

async function verify() {
  await mkdir(at("registry"));
  const registry = await startRegistry(at("registry"));
  try {
    const clone = await step("clone", () => cloneRepository(root, folder, registry.npmrc));
    await step("install from the lockfile", () => clone.install());
    if (!process.argv.includes("--without-tests")) await step("test", () => clone.test());

    const first = await step("version", () => clone.version());
    console.log(`  ${first.length} packages, ${first[0].name} ${first[0].manifest.version}`);
    await step("build, publish and tag", () => clone.release());
    await step("compare with what the registry and the origin have", () => clone.check(first));
    const strangers = ["npm", "pnpm"].map(
      (manager) => new Stranger(manager, folder, registry.npmrc),
    );
    for (const stranger of strangers)
      await step(`install as a new user with ${stranger.manager}`, () => stranger.install(first));

    const changed = await step("change a package", () => clone.changeSomething());
    const second = await step("version again", () => clone.version());
    const moved = second.filter(
      ({ manifest, name }) => manifest.version !== versionOf(first, name),
    );
    console.log(`  ${moved.map(({ name, manifest }) => `${name} ${manifest.version}`).join(", ")}`);
    await step("build, publish and tag", () => clone.release());
    await step("compare with what the registry and the origin have", () => clone.check(second));
    for (const stranger of strangers)
      await step(`upgrade with ${stranger.manager}`, () => stranger.upgrade(second, changed));
    await step("give the packages another scope", () => clone.rename("@acme"));
  } finally {
    await registry.close();
  }
}

function versionOf(packages, name) {
  return packages.find((one) => one.name === name)?.manifest.version;
}

try {
  await verify();
  const seconds = Math.round((performance.now() - begin) / 1000);
  console.log(`Two releases went out, and a stranger followed (${seconds} s).`);
} catch (error) {
  console.error(`\n${error.message}\n\nverify:release failed.`);
  process.exitCode = 1;
}
