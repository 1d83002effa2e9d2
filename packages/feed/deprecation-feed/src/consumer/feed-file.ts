import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { FeedError } from "./feed-error.ts";

export interface FeedFile {
  readonly path: string;
  readonly text: string;
  /** The text of `status.json` next to it; empty: there is none. */
  readonly status: string;
}

/** Reads a feed from the file system. @throws FeedError */
export async function readFeedFile(pathOrUrl: string, maxBytes: number): Promise<FeedFile> {
  const path = pathOrUrl.startsWith("file:") ? fileURLToPath(pathOrUrl) : pathOrUrl;
  try {
    const file = (await stat(path)).isDirectory() ? join(path, "v1/feed.json") : path;
    const { size } = await stat(file);
    if (size > maxBytes) throw new FeedError(`${file} is larger than ${maxBytes} bytes`);
    const text = new TextDecoder().decode(await readFile(file));
    const beside = join(dirname(file), "status.json");
    return { path, text, status: await readFile(beside, "utf8").catch(() => "") };
  } catch (error) {
    if (error instanceof FeedError || !(error instanceof Error)) throw error;
    throw new FeedError(`${path} cannot be read: ${error.message}`, { cause: error });
  }
}
