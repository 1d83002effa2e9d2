import { existsSync } from "node:fs";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pnpm } from "./pack.mjs";
import { publicPackages, readJson, root, scope } from "./packages.mjs";
import { proofs } from "./proofs.mjs";
import { readmeOf, toInstall } from "./readme.mjs";
import { run, withNode } from "./run.mjs";

const env = withNode(dirname(process.execPath));
const tsc = join(root, "node_modules/typescript/bin/tsc");
const compilerOptions = {
  strict: true,
  skipLibCheck: false,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  module: "nodenext",
  target: "es2024",
  rootDir: ".",
  outDir: "out",
};
const onNode = { ...compilerOptions, lib: ["es2024", "esnext.disposable"], types: ["node"] };
const anywhere = {
  ...compilerOptions,
  lib: ["es2024", "esnext.disposable", "dom", "dom.iterable", "dom.asynciterable"],
  types: [],
  noEmit: true,
};

/** How each package manager installs what a README names, in a separate folder. */
export const installers = {
  npm: (names, folder, node) =>
    run("npm", ["install", ...names], { cwd: folder, env: withNode(node.folder) }),
  // pnpm's folders contain only what a package declares.
  pnpm: (names, folder) => pnpm(["add", "--ignore-workspace", ...names], folder),
};

/** Installs one package alone, as its README says, and compiles its types without Node's. */
export async function createConsumer(published, { parent, npmrc, node, installer }) {
  const { name, shortName, folder, manifest } = published;
  const consumer = join(parent, shortName);
  const write = (file, content) => writeFile(join(consumer, file), content);
  await mkdir(consumer);
  await write("package.json", '{"private":true,"type":"module"}');
  await write(".npmrc", npmrc);
  const { installs = [] } = proofs[shortName] ?? {};
  await installers[installer]([...toInstall(published), ...installs], consumer, node);
  const { exports } = { ...manifest, ...manifest.publishConfig };
  const entries = Object.keys(exports).map((entry) => name + entry.slice(1));
  for (const entry of entries) await write(`${entryFile(entry)}.ts`, entryProgram(entry));
  if (installer === "npm") checkInstalled(published, consumer);
  else await checkTypesAnywhere(entries, folder, consumer);
}

function entryFile(entry) {
  return `entry-${basename(entry)}`;
}

function entryProgram(entry) {
  return `import type * as entry from "${entry}";\nexport type Entry = typeof entry;\n`;
}

/** @throws Error if an entry needs Node's types and the README does not say so */
async function checkTypesAnywhere(entries, folder, consumer) {
  const failed = [];
  for (const entry of entries) {
    const tsconfig = join(consumer, `${entryFile(entry)}.json`);
    const include = [`${entryFile(entry)}.ts`];
    await writeFile(tsconfig, JSON.stringify({ compilerOptions: anywhere, include }));
    const compiled = run(process.execPath, [tsc, "-p", tsconfig], { cwd: consumer, env });
    await compiled.catch(() => failed.push(entry));
  }
  if (failed.length > 0 && !readmeOf(folder).includes("`@types/node`"))
    throw new Error(`README.md does not say that ${failed.join(", ")} need \`@types/node\``);
}

/** Gives all consumers Node's types. */
export async function installTypes(parent) {
  const { version } = readJson(join(root, "node_modules/@types/node/package.json"));
  await writeFile(join(parent, "package.json"), '{"private":true}');
  const args = ["install", "--no-audit", "--no-fund", `@types/node@${version}`];
  await run("npm", args, { cwd: parent, env });
}

/** Compiles a strict program that uses a package. */
export async function compileConsumer(published, parent) {
  const consumer = join(parent, published.shortName);
  for (const source of sourcesOf(published))
    await copyFile(source, join(consumer, basename(source)));
  const config = { compilerOptions: onNode, include: ["*.ts"] };
  await writeFile(join(consumer, "tsconfig.json"), JSON.stringify(config));
  await run(process.execPath, [tsc, "-p", consumer], { cwd: consumer, env });
}

/** The package's program in this folder, or the README's example; nothing if it has neither. */
function sourcesOf({ shortName, folder }) {
  const { sources } = proofs[shortName] ?? {};
  if (sources !== undefined) return sources.map((source) => join(root, source));
  const own = join(import.meta.dirname, "consumer", shortName, "quickstart.ts");
  return [own, join(folder, "examples/quickstart.ts")].filter(existsSync).slice(0, 1);
}

const drivers = ["better-sqlite3", "pg"];
const named = (tag) => publicPackages.filter((one) => one.tag === tag).map(({ name }) => name);
/** Parts of servers and programs: clients and libraries must not depend on any of them. */
const servers = ["express", "socket.io", `${scope}/demo-upstream`, ...named("server")];
/** A package that depends directly on one of these is meant to install a driver. */
const storage = [...drivers, `${scope}/database`, `${scope}/session-store`];

/** The names of everything that a package needs. Packages that its README installs beside it are not counted. */
function installedBy(name, locked) {
  const needed = new Set();
  const add = (wanted) => {
    if (needed.has(wanted)) return;
    needed.add(wanted);
    for (const [path, { dependencies = {} }] of Object.entries(locked))
      if (path.endsWith(`node_modules/${wanted}`)) Object.keys(dependencies).forEach(add);
  };
  add(name);
  needed.delete(name);
  return needed;
}

/** @throws Error naming dependencies that the package must not have */
function checkInstalled({ name, tag, manifest }, consumer) {
  const lock = readJson(join(consumer, "node_modules/.package-lock.json"));
  const installed = installedBy(name, lock.packages);
  const refused = [`${scope}/test-kit`, "typescript", ...named("app")];
  if (tag === "client" || tag === "library") {
    refused.push(...servers);
    const isStorage = storage.some((one) => one in (manifest.dependencies ?? {}));
    if (!isStorage) refused.push(...drivers);
  }
  const brought = refused.filter((one) => installed.has(one));
  if (brought.length > 0) throw new Error(`${name} also installs ${brought.join(" and ")}`);
}
