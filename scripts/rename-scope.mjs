// Gives the packages another scope: names, imports, the export condition `@proj/source`, and the documents.
// Run it in a clean working copy, review the changes, and commit them.
//
//   node scripts/rename-scope.mjs @acme
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const [wanted] = process.argv.slice(2);
if (!/^@[a-z0-9~-][a-z0-9._~-]*$/.test(wanted ?? "")) {
  console.error("usage: node scripts/rename-scope.mjs @SCOPE");
  process.exit(2);
}
const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" });
if (git("status", "--porcelain") !== "") {
  console.error("The working copy has changes. Commit or stash them first.");
  process.exit(2);
}

const { name } = JSON.parse(readFileSync(join(root, "packages/gateway/core/package.json"), "utf8"));
const [present] = name.split("/");
const scoped = new RegExp(`${present}(?![\\w-])`, "g");
/** The trading client's User-Agent contains the scope without its sign. */
const userAgent = `${present.slice(1)}-trading-client`;
let changed = 0;
for (const file of git("ls-files", "-z").split("\0").filter(Boolean)) {
  const before = readFileSync(join(root, file), "utf8");
  // A file that is not text contains the replacement character of malformed UTF-8.
  if (before.includes("\ufffd")) continue;
  const after = before
    .replace(scoped, wanted)
    .replaceAll(userAgent, userAgent.replace(present.slice(1), wanted.slice(1)));
  if (after === before) continue;
  writeFileSync(join(root, file), after);
  changed++;
}
console.log(`${present} is ${wanted} in ${changed} files. Now:

  npx ${JSON.parse(readFileSync(join(root, "package.json"), "utf8")).packageManager} install
  npx pnpm fix      # imports are sorted by name
  npm test
  npm run verify:publish`);
