// `npm run docs:site`: builds the documents, the API reference and the pages of commands and HTTP
// interfaces into docs/site. `--without-api` leaves out TypeDoc, which takes longest; `--check` only checks the links.
import { spawn } from "node:child_process";
import { existsSync, openSync } from "node:fs";
import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pnpm } from "../verify-publish/pack.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));
const stage = join(here, ".stage");
const options = new Set(process.argv.slice(2));

/** Runs a program to its end; rejects if it fails. */
function run(program, args, cwd, { env = {}, output = "inherit" } = {}) {
  const stdio = ["inherit", output, "inherit"];
  const child = spawn(program, args, { cwd, stdio, env: { ...process.env, ...env } });
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("exit", (code) =>
      code === 0 ? done() : fail(new Error(`${program} ${args.join(" ")} ended with ${code}`)),
    );
  });
}

if (!existsSync(join(here, "node_modules/vitepress")))
  await pnpm(["install", "--ignore-workspace", "--frozen-lockfile", "--ignore-scripts"], here);
const { stageSite } = await import("./stage.mjs");
await stageSite(root, stage);
if (!options.has("--check")) {
  const commands = openSync(join(stage, "commands.md"), "w");
  const print = ["--conditions=@proj/source", "print-commands.mjs"];
  await run(process.execPath, print, here, { output: commands });
  const withoutApi = options.has("--without-api");
  if (!withoutApi) {
    await run(
      process.execPath,
      ["node_modules/typedoc/bin/typedoc"],
      join(root, "scripts/api-docs"),
    );
    await mkdir(join(stage, "public"), { recursive: true });
    await cp(join(root, "docs/api"), join(stage, "public/api"), { recursive: true });
  }
  const env = withoutApi ? { DOCS_WITHOUT_API: "1" } : {};
  await run(process.execPath, ["node_modules/vitepress/bin/vitepress.js", "build"], here, { env });
  console.log("docs/site is built.");
}
