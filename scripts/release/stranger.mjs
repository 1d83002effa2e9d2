import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { packageManager, scope } from "../verify-publish/packages.mjs";
import { run, withNode } from "../verify-publish/run.mjs";
import { installedVersion } from "./clone.mjs";

const env = withNode(dirname(process.execPath));
const program = `${scope}/gateway`;
const client = `${scope}/points-client`;
const dependency = `${scope}/http-client`;

/** A new user with a registry and a package manager, but without the repository. */
export class Stranger {
  #folder;
  #npmrc;

  /** @param manager `npm` or `pnpm` */
  constructor(manager, folder, npmrc) {
    this.manager = manager;
    this.#folder = join(folder, `stranger-${manager}`);
    this.#npmrc = npmrc;
  }

  async install(packages) {
    await mkdir(this.#folder);
    await writeFile(join(this.#folder, ".npmrc"), this.#npmrc);
    await writeFile(join(this.#folder, "package.json"), '{"private":true,"type":"module"}');
    await this.#manage(this.manager === "npm" ? "install" : "add", program, client, dependency);
    for (const name of [program, client, dependency]) this.#has(packages, name);
    const bin = join(this.#folder, "node_modules/.bin/gateway");
    const version = await run(bin, ["--version"], { cwd: this.#folder, env });
    assert.ok(version.includes(versionOf(packages, program)), version);
    assert.equal(await this.#exports(dependency, "upgraded"), false);
  }

  /** @param changed the package with a new minor version; its dependents have a new patch version */
  async upgrade(packages, changed) {
    // Before 1.0 a new minor version is outside a caret range and must be requested; its dependents follow.
    await this.#manage("update", client);
    await this.#manage(this.manager === "npm" ? "install" : "add", `${changed}@latest`);
    for (const name of [program, client, changed]) this.#has(packages, name);
    assert.equal(await this.#exports(changed, "upgraded"), true);
    assert.equal(await this.#exports(client, "createPointsClient"), true);
  }

  #has(packages, name) {
    assert.equal(installedVersion(this.#folder, name), versionOf(packages, name), name);
  }

  async #exports(name, what) {
    const code = `console.log(${JSON.stringify(what)} in await import(${JSON.stringify(name)}))`;
    const args = ["--input-type=module", "--eval", code];
    return (await run(process.execPath, args, { cwd: this.#folder, env })).trim() === "true";
  }

  #manage(...args) {
    const [command, ...rest] =
      this.manager === "npm" ? ["npm", ...args] : ["npx", "--yes", packageManager, ...args];
    return run(command, rest, { cwd: this.#folder, env, timeoutMs: 300_000 });
  }
}

function versionOf(packages, name) {
  return packages.find((one) => one.name === name).manifest.version;
}
