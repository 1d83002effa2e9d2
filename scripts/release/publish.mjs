// Publishes tarballs whose versions the registry does not have, tags the commit for each, and says what it did. Only
// Node's own modules, npm, tar and git run here, and with --github gh: nothing of `node_modules` is near the token.
//
//   node scripts/release/publish.mjs DIR [--github]
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  options: { github: { type: "boolean", default: false } },
  allowPositionals: true,
});
if (positionals.length !== 1) {
  console.error("usage: publish.mjs DIR [--github]");
  process.exit(2);
}
const folder = resolve(positionals[0]);

/** What `SHA256SUMS` lists, and nothing else that lies there. @throws Error a tarball is another than was listed */
function listedPackages() {
  const lines = readFileSync(join(folder, "SHA256SUMS"), "utf8").trim().split("\n");
  return lines.map((line) => {
    const [, sum, file] = /^([0-9a-f]{64}) {2}([\w.-]+\.tgz)$/.exec(line) ?? [];
    if (file === undefined) throw new Error(`SHA256SUMS has a line that cannot be read: ${line}`);
    const tarball = join(folder, file);
    const found = createHash("sha256").update(readFileSync(tarball)).digest("hex");
    if (found !== sum) throw new Error(`${file} is another file than was checked`);
    return { tarball, manifest: JSON.parse(unpacked(tarball, "package.json")) };
  });
}

function unpacked(tarball, path) {
  return execFileSync("tar", ["-xzOf", tarball, `package/${path}`], { encoding: "utf8" });
}

/** Each after those it depends on, so that one that is already published can be installed. */
function inOrder(packages) {
  const byName = new Map(packages.map((one) => [one.manifest.name, one]));
  const ordered = new Set();
  const add = (one) => {
    for (const name of Object.keys(one.manifest.dependencies ?? {}))
      if (byName.has(name) && !ordered.has(byName.get(name))) add(byName.get(name));
    ordered.add(one);
  };
  for (const one of packages) add(one);
  return [...ordered];
}

/** @throws Error the registry did not answer: only its "there is none" means that there is none */
function isPublished(id) {
  const { status, stdout, stderr } = spawnSync("npm", ["view", id, "version", "--json"], {
    encoding: "utf8",
  });
  if (status === 0) return stdout.trim() !== "";
  if (stderr.includes("E404")) return false;
  throw new Error(`npm view ${id} failed:\n${stderr}`);
}

/** The section of a version in its package's changelog. */
function notesOf(tarball, version) {
  const sections = unpacked(tarball, "CHANGELOG.md").split(/^## /m);
  const section = sections.find((text) => text.startsWith(`${version}\n`)) ?? "";
  return section.slice(version.length).trim();
}

function releaseOnGitHub(id, notes) {
  if (spawnSync("gh", ["release", "view", id]).status === 0) return;
  const commit = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim();
  run("gh", "release", "create", id, "--target", commit, "--title", id, "--notes", notes);
}

function tag(id) {
  const ref = `refs/tags/${id}`;
  if (execFileSync("git", ["ls-remote", "--tags", "origin", ref]).length > 0) return;
  run("git", "tag", "--force", id);
  run("git", "push", "--quiet", "origin", ref);
}

const run = (program, ...args) => execFileSync(program, args, { stdio: "inherit" });

let published = 0;
for (const { tarball, manifest } of inOrder(listedPackages())) {
  const { name, version } = manifest;
  const id = `${name}@${version}`;
  if (isPublished(id)) {
    console.log(`${id} is already there`);
  } else {
    run("npm", "publish", tarball, "--access", "public");
    published += 1;
  }
  // Also for a version that an interrupted run published without its tag.
  if (values.github) releaseOnGitHub(id, notesOf(tarball, version));
  else tag(id);
}
console.log(`Published ${published} packages.`);
