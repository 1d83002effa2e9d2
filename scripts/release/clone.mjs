import assert from "node:assert/strict";
import { appendFile, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  findPublicPackages,
  packageManager,
  readJson,
  scope,
} from "../verify-publish/packages.mjs";
import { run, withNode } from "../verify-publish/run.mjs";

const env = withNode(dirname(process.execPath), { CI: "true", TURBO_TELEMETRY_DISABLED: "1" });
const minutes = 60_000;
/** A placeholder for the repository's URL, which the working copy does not know. */
const url = "https://github.com/example/repository";

/** An origin with everything that is committed here, and a working copy of it. */
export async function cloneRepository(source, folder, npmrc) {
  const [origin, clone] = [join(folder, "origin.git"), join(folder, "clone")];
  await run("git", ["init", "--quiet", "--bare", "--initial-branch=main", origin]);
  await run("git", ["push", "--quiet", origin, "HEAD:refs/heads/main"], { cwd: source });
  await run("git", ["clone", "--quiet", origin, clone]);
  await run("git", ["config", "user.name", "Release"], { cwd: clone });
  await run("git", ["config", "user.email", "release@example.com"], { cwd: clone });
  await appendFile(join(clone, ".npmrc"), `\n${npmrc.replace("engine-strict=true\n", "")}`);
  // Changes made for this registry alone are not part of the repository.
  await run("git", ["update-index", "--assume-unchanged", ".npmrc"], { cwd: clone });
  return new Clone(clone);
}

class Clone {
  #folder;

  constructor(folder) {
    this.#folder = folder;
  }

  install() {
    return this.#pnpm(["install", "--frozen-lockfile", "--prefer-offline", "--loglevel=error"]);
  }

  test() {
    return this.#run("npm", ["test"], 20 * minutes);
  }

  /** Does what merging the version pull request does. Resolves with the packages afterwards. */
  async version() {
    await this.#pnpm(["run", "version"]);
    const rest = (await readdir(join(this.#folder, ".changeset"))).filter((name) =>
      name.endsWith(".md"),
    );
    assert.deepEqual(rest, [], "Changesets are left over");
    await this.#git("add", "--all");
    await this.#git("commit", "--quiet", "-m", "Version packages");
    await this.#git("push", "--quiet", "origin", "main");
    return findPublicPackages(this.#folder);
  }

  /** Does what the release workflow's last job does. */
  async release() {
    const head = (await this.#git("rev-parse", "HEAD")).trim();
    const script = join(import.meta.dirname, "name-repository.mjs");
    await this.#run("node", [script, url, head, this.#folder]);
    const tarballs = join(this.#folder, "..", "tarballs", head);
    await this.#run("node", ["scripts/release/pack.mjs", tarballs], 10 * minutes);
    await this.#git("checkout", "--quiet", "--", ".", ":(exclude).npmrc");
    await this.#run("node", ["scripts/release/publish.mjs", tarballs], 10 * minutes);
  }

  /** Checks that every version is at the registry, tagged at the origin, and says where it comes from. */
  async check(packages) {
    const tags = (await this.#git("ls-remote", "--tags", "origin")).trim();
    for (const { name, manifest, folder } of packages) {
      const { version } = manifest;
      const tag = `refs/tags/${name}@${version}`;
      assert.ok(tags.includes(tag), `The origin has no ${tag}`);
      const seen = JSON.parse(await this.#run("npm", ["view", `${name}@${version}`, "--json"]));
      const directory = folder.slice(this.#folder.length + 1);
      assert.deepEqual(seen.repository, { type: "git", url: `git+${url}.git`, directory });
      assert.equal(seen["dist-tags"].latest, version);
      assert.doesNotMatch(JSON.stringify(seen), /workspace:|catalog:/);
      const changelog = await readFile(join(folder, "CHANGELOG.md"), "utf8");
      assert.match(changelog, new RegExp(`^## ${version}$`, "m"), `${name} has no changelog`);
    }
  }

  /** Changes a client that others depend on, with a changeset. Resolves with its name. */
  async changeSomething() {
    const name = `${scope}/http-client`;
    const file = join(this.#folder, "packages/base/http-client/src/index.ts");
    await appendFile(
      file,
      "\n/** Shows that an upgrade arrives. */\nexport const upgraded: boolean = true;\n",
    );
    const changeset = `---\n"${name}": minor\n---\n\nShows that an upgrade arrives.\n`;
    await writeFile(join(this.#folder, ".changeset/upgrade.md"), changeset);
    await this.#git("add", "--all");
    await this.#git("commit", "--quiet", "-m", "Change the client");
    return name;
  }

  /** Does what CONTRIBUTING.md says about another scope; then types, lint, build, and one package's tests. */
  async rename(wanted) {
    await this.#run("node", ["scripts/rename-scope.mjs", wanted]);
    await this.#pnpm(["install", "--no-frozen-lockfile", "--prefer-offline", "--loglevel=error"]);
    await this.#pnpm(["fix"]);
    const tasks = ["typecheck", "test", `--filter=${wanted}/resource-router`];
    await this.#pnpm(["exec", "turbo", "run", "build", "--concurrency=2"]);
    await this.#pnpm(["exec", "turbo", "run", ...tasks]);
    await this.#pnpm(["exec", "turbo", "boundaries"]);
    const names = findPublicPackages(this.#folder).map(({ name }) => name);
    assert.ok(
      names.every((name) => name.startsWith(`${wanted}/`)),
      names.join(" "),
    );
    await assert.rejects(this.#git("grep", "-nIE", `${scope}([^-0-9A-Za-z_]|$)`), /ended with 1/);
  }

  #pnpm(args, timeoutMs = 5 * minutes) {
    return this.#run("npx", ["--yes", packageManager, ...args], timeoutMs);
  }

  #git(...args) {
    return this.#run("git", args);
  }

  #run(program, args, timeoutMs = minutes) {
    return run(program, args, { cwd: this.#folder, env, timeoutMs });
  }
}

export function installedVersion(folder, name) {
  return readJson(join(folder, "node_modules", name, "package.json")).version;
}
