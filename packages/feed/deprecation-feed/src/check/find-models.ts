import { readFile, stat } from "node:fs/promises";
import { ModelNames } from "../notice/model-names.ts";
import { ModelSearch, type TokenPlace } from "./model-tokens.ts";
import { type IgnoreOptions, sourceFiles } from "./source-files.ts";

export interface FoundModel extends TokenPlace {
  /** The file's path, including the folder as given. */
  readonly file: string;
}

export interface FindOptions extends IgnoreOptions {
  /** Larger files are skipped, and listed in `skipped`. @default 1 MiB */
  readonly maxFileBytes?: number;
  /** The search stops after this many files. @default 100000 */
  readonly maxFiles?: number;
  /** The search stops after this many findings. @default 10000 */
  readonly maxFound?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface FoundModels {
  readonly found: readonly FoundModel[];
  /** Files that were read. */
  readonly files: number;
  /** Text files that were not searched although they may name models. Binary files are not listed. */
  readonly skipped: readonly SkippedFile[];
  /** The search stopped at a limit: there may be more. */
  readonly isCut: boolean;
}

export interface SkippedFile {
  readonly file: string;
  readonly reason: string;
}

/**
 * Searches a source tree (or one file) for the models of a feed. It skips binary and large files, `node_modules`,
 * `.git`, symbolic links, and whatever `.gitignore`, `.deprecationsignore` and `exclude` match.
 * @param known ids as in the feed
 * @throws the file system's error if the tree or a folder in it cannot be read
 */
export async function findModels(
  root: string,
  known: Iterable<string>,
  options: FindOptions = {},
): Promise<FoundModels> {
  const { maxFileBytes = 1024 * 1024, maxFiles = 100_000, maxFound = 10_000, signal } = options;
  const search = new ModelSearch(new ModelNames(known));
  const found: FoundModel[] = [];
  const skipped: SkippedFile[] = [];
  let files = 0;
  for await (const file of sourceFiles(root, options)) {
    signal?.throwIfAborted();
    if (files >= maxFiles) return { found, files, skipped, isCut: true };
    const { size } = await stat(file);
    if (size > maxFileBytes) {
      skipped.push({ file, reason: `larger than ${maxFileBytes} bytes` });
      continue;
    }
    const text = decode(await readFile(file));
    if (text === null) continue;
    files += 1;
    for (const place of search.find(text)) {
      if (found.length >= maxFound) return { found, files, skipped, isCut: true };
      found.push({ ...place, file });
    }
  }
  return { found, files, skipped, isCut: false };
}

/** @returns null: the file is not text */
function decode(bytes: Buffer): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return bytes.subarray(0, 8192).includes(0) ? null : bytes.toString("utf8");
}
