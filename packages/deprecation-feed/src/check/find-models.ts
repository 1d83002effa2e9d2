import type { Stats } from "node:fs";
import { lstat, opendir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { findIds, type TokenPlace } from "./model-tokens.ts";

export interface FoundModel extends TokenPlace {
  /** The file, with the folder's path as it was given. */
  readonly file: string;
}

export interface FindOptions {
  /** Larger files are passed over. @default 1 MiB */
  readonly maxFileBytes?: number;
  /** Beyond, the search ends. @default 100000 */
  readonly maxFiles?: number;
  /** Beyond, the search ends. @default 10000 */
  readonly maxFound?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface FoundModels {
  readonly found: readonly FoundModel[];
  /** Files that were read. */
  readonly files: number;
  /** The search ended at a bound: there may be more. */
  readonly isCut: boolean;
}

const passedOver: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/**
 * Searches a source tree (or one file) for known model ids. Binary and large files are passed over,
 * and so are `node_modules`, `.git` and symbolic links.
 * @throws the file system's error where the tree itself, or a folder in it, cannot be read
 */
export async function findModels(
  root: string,
  known: ReadonlySet<string>,
  options: FindOptions = {},
): Promise<FoundModels> {
  const { maxFileBytes = 1024 * 1024, maxFiles = 100_000, maxFound = 10_000, signal } = options;
  const found: FoundModel[] = [];
  let files = 0;
  for await (const file of filesOf(root, await stat(root))) {
    signal?.throwIfAborted();
    if (files >= maxFiles) return { found, files, isCut: true };
    const text = await readSource(file, maxFileBytes);
    if (text === null) continue;
    files += 1;
    for (const place of findIds(text, known)) {
      if (found.length >= maxFound) return { found, files, isCut: true };
      found.push({ ...place, file });
    }
  }
  return { found, files, isCut: false };
}

/** In an order that does not depend on the file system. */
async function* filesOf(path: string, entry: Stats): AsyncGenerator<string> {
  if (entry.isFile()) yield path;
  if (!entry.isDirectory()) return;
  const names: string[] = [];
  for await (const { name } of await opendir(path)) if (!passedOver.has(name)) names.push(name);
  for (const name of names.sort()) {
    const below = join(path, name);
    yield* filesOf(below, await lstat(below));
  }
}

/** @returns null for what is no source: too large, or binary */
async function readSource(file: string, maxBytes: number): Promise<string | null> {
  const { size } = await stat(file);
  if (size > maxBytes) return null;
  const bytes = await readFile(file);
  return bytes.subarray(0, 8192).includes(0) ? null : bytes.toString("utf8");
}
