import { existsSync } from "node:fs";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { readJson, root } from "./packages.mjs";
import { proofs } from "./proofs.mjs";
import { run, withNode } from "./run.mjs";

const env = withNode(dirname(process.execPath));
const compilerOptions = {
  strict: true,
  skipLibCheck: false,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  module: "nodenext",
  target: "es2024",
  lib: ["es2024", "esnext.disposable"],
  types: ["node"],
  rootDir: ".",
  outDir: "out",
};

/** What a consumer has of its own: Node's types, and the client that the examples call models with. */
export async function installTools(folder) {
  const of = (path) => readJson(join(root, path, "package.json")).version;
  const types = `@types/node@${of("node_modules/@types/node")}`;
  const openai = `openai@${of("packages/launcher-client/node_modules/openai")}`;
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), '{"private":true}');
  await run("npm", ["install", "--no-audit", "--no-fund", types, openai], { cwd: folder, env });
}

/** Installs one package alone, by the Node given, and compiles a strict program that uses it. */
export async function createConsumer(
  { name, shortName, folder, manifest },
  { parent, npmrc, node },
) {
  const consumer = join(parent, shortName);
  const write = (file, content) => writeFile(join(consumer, file), content);
  await mkdir(consumer);
  await write("package.json", '{"private":true,"type":"module"}');
  await write(".npmrc", npmrc);
  await run("npm", ["install", name], { cwd: consumer, env: withNode(node.folder) });

  for (const source of sourcesOf({ shortName, folder })) {
    await copyFile(source, join(consumer, basename(source)));
  }
  const entries = Object.keys(manifest.exports).map((entry) => name + entry.slice(1));
  const imports = entries.map(
    (entry, index) => `import type * as entry${index} from "${entry}";\n`,
  );
  await write(
    "entries.ts",
    `${imports.join("")}export type Entries = [${entries.map((_, index) => `typeof entry${index}`)}];\n`,
  );
  await write("tsconfig.json", JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  await run(process.execPath, [tsc, "-p", consumer], { cwd: consumer, env });
  checkInstalled(name, consumer);
}

/** The example of the README, unless there is a program of its own for this package here. */
function sourcesOf({ shortName, folder }) {
  const { sources } = proofs[shortName] ?? {};
  if (sources !== undefined) return sources.map((source) => join(root, source));
  const own = join(import.meta.dirname, "consumer", shortName, "quickstart.ts");
  return [existsSync(own) ? own : join(folder, "examples/quickstart.ts")];
}

const drivers = ["better-sqlite3", "pg"];
/** What a server or a program is made of: none of it comes with a client. */
const servers = [
  "express",
  "socket.io",
  "@proj/demo-upstream",
  "@proj/gateway-core",
  "@proj/paper-broker",
  "@proj/points-server",
];
const programs = [
  "@proj/deprecations",
  "@proj/gateway",
  "@proj/launcher",
  "@proj/paper-trading",
  "@proj/points",
];
const clients = [
  "@proj/http-client",
  "@proj/launcher-client",
  "@proj/points-client",
  "@proj/trading-client",
];
/** Neither a client nor a server: a library with nothing of either. */
const libraries = ["@proj/gateway-protocol", "@proj/resource-router", "@proj/deprecation-feed"];

/** @throws Error that names what came along with a package and must not */
function checkInstalled(name, consumer) {
  const lock = readJson(join(consumer, "node_modules/.package-lock.json"));
  const installed = new Set(
    Object.keys(lock.packages).map((path) => path.replace(/^.*node_modules\//, "")),
  );
  installed.delete(name);
  const refused = ["@proj/test-kit", "typescript", ...programs];
  if ([...clients, ...libraries].includes(name)) {
    refused.push(...servers);
    if (name !== "@proj/launcher-client") refused.push(...drivers);
  }
  const brought = refused.filter((one) => installed.has(one));
  if (brought.length > 0) throw new Error(`${name} brings ${brought.join(" and ")} along`);
}
