import type { Stats } from "node:fs";
import { access, lstat, opendir, readFile, stat } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import ignore, { type Ignore } from "ignore";

export interface IgnoreOptions {
  /** Patterns in `.gitignore` syntax, relative to the tree's root, of files to skip. @default [] */
  readonly exclude?: readonly string[];
  /** Whether to obey `.gitignore` and `.deprecationsignore`, also those above the tree in its repository. @default true */
  readonly ignoreFiles?: boolean;
}

const passedOver: ReadonlySet<string> = new Set(["node_modules", ".git"]);
const ignoreNames = [".gitignore", ".deprecationsignore"];

/** Patterns, and the folder they are relative to. */
interface Rules {
  readonly folder: string;
  readonly patterns: Ignore;
}

/** The files of a tree that may be source, in an order independent of the file system. */
export async function* sourceFiles(root: string, options: IgnoreOptions): AsyncGenerator<string> {
  const { exclude = [], ignoreFiles = true } = options;
  const entry = await stat(root);
  // A file that is named explicitly is searched even if it is ignored.
  if (entry.isFile()) return yield root;
  const given: Rules = { folder: resolve(root), patterns: ignore().add([...exclude]) };
  const above = ignoreFiles ? await rulesAbove(resolve(root)) : [];
  yield* filesOf(root, entry, [...above, given], ignoreFiles);
}

async function* filesOf(
  path: string,
  entry: Stats,
  rules: readonly Rules[],
  ignoreFiles: boolean,
): AsyncGenerator<string> {
  if (entry.isFile()) yield path;
  if (!entry.isDirectory()) return;
  const names: string[] = [];
  for await (const { name } of await opendir(path)) if (!passedOver.has(name)) names.push(name);
  const own = ignoreFiles && names.some((name) => ignoreNames.includes(name));
  const all = own ? [...rules, ...(await rulesIn(resolve(path)))] : rules;
  for (const name of names.sort()) {
    const below = join(path, name);
    const entry = await lstat(below);
    if (!isIgnored(resolve(below), entry.isDirectory(), all))
      yield* filesOf(below, entry, all, ignoreFiles);
  }
}

/** As in git: the last matching pattern decides, and inner folders come after outer ones. */
function isIgnored(path: string, isFolder: boolean, rules: readonly Rules[]): boolean {
  let isOut = false;
  for (const { folder, patterns } of rules) {
    const below = relative(folder, path).split(sep).join("/");
    const result = patterns.test(isFolder ? `${below}/` : below);
    if (result.ignored) isOut = true;
    if (result.unignored) isOut = false;
  }
  return isOut;
}

async function rulesIn(folder: string): Promise<readonly Rules[]> {
  const texts = await Promise.all(
    ignoreNames.map((name) => readFile(join(folder, name), "utf8").catch(() => "")),
  );
  return texts
    .filter((text) => text !== "")
    .map((text) => ({ folder, patterns: ignore().add(text) }));
}

/** The rules of the folders above, up to the repository's root; none outside a repository. */
async function rulesAbove(root: string): Promise<readonly Rules[]> {
  const rules: Rules[] = [];
  for (let folder = root; ; folder = dirname(folder)) {
    const isRepository = await access(join(folder, ".git")).then(
      () => true,
      () => false,
    );
    if (folder !== root) rules.unshift(...(await rulesIn(folder)));
    if (isRepository) return rules;
    if (dirname(folder) === folder) return [];
  }
}
