import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Deprecation } from "../feeds/deprecation.ts";
import { FetchError } from "../fetching/fetch-error.ts";
import type { Validators } from "../fetching/fetch-text.ts";
import { fetchWithRetries } from "../fetching/fetch-with-retries.ts";
import { FeedError } from "./feed-error.ts";
import { parseFeed, type ReadItem } from "./parse-feed.ts";

export interface Feed extends Validators {
  /** Where it was read from. */
  readonly location: string;
  readonly title: string;
  readonly items: readonly ReadItem[];
}

export interface ReadFeedOptions {
  /** What an earlier call returned for the same place; given back where nothing has changed. */
  readonly previous?: Feed | null;
  /** In place of what an item's `_deprecation` leaves out. @default empty texts and lists */
  readonly defaults?: Partial<Deprecation>;
  /** Milliseconds of one request. @default 10000 */
  readonly timeoutMs?: number;
  /** Requests in all. @default 3 */
  readonly attempts?: number;
  /** Of the feed, unpacked. @default 32 MiB */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads a JSON Feed of deprecations, this project's or another one. A site's address that ends in a
 * slash, or a folder that `buildFeed` has written, means the `v1/feed.json` in it.
 * @throws FeedError it cannot be had, or is no JSON Feed; or the signal's reason
 */
export async function readFeed(urlOrFile: string, options: ReadFeedOptions = {}): Promise<Feed> {
  const { defaults = {} } = options;
  if (!/^https?:\/\//i.test(urlOrFile)) {
    const path = urlOrFile.startsWith("file:") ? fileURLToPath(urlOrFile) : urlOrFile;
    const text = await readFeedFile(path, options.maxBytes ?? defaultMaxBytes);
    const validators = { etag: null, last_modified: null };
    return { location: path, ...parseFeed(text, path, defaults), ...validators };
  }
  const url = urlOrFile.endsWith("/") ? `${urlOrFile}v1/feed.json` : urlOrFile;
  const previous = options.previous?.location === url ? options.previous : null;
  const answer = await fetchFeed(url, previous, options);
  if (answer === null && previous !== null) return previous;
  const { text = "", etag = null, last_modified = null } = answer ?? {};
  return { location: url, ...parseFeed(text, url, defaults), etag, last_modified };
}

const defaultMaxBytes = 32 * 1024 * 1024;

async function fetchFeed(url: string, previous: Feed | null, options: ReadFeedOptions) {
  const { timeoutMs = 10_000, attempts = 3, maxBytes = defaultMaxBytes, signal } = options;
  try {
    return await fetchWithRetries(url, {
      validators: previous,
      timeoutMs,
      attempts,
      maxBytes,
      signal,
      retryDelayMs: 500,
      accept: "application/feed+json, application/json;q=0.9, */*;q=0.5",
    });
  } catch (error) {
    if (error instanceof FetchError) throw new FeedError(error.message, { cause: error });
    throw error;
  }
}

async function readFeedFile(path: string, maxBytes: number): Promise<string> {
  try {
    const file = (await stat(path)).isDirectory() ? join(path, "v1/feed.json") : path;
    const { size } = await stat(file);
    if (size > maxBytes) throw new FeedError(`${file} is larger than ${maxBytes} bytes`);
    return new TextDecoder().decode(await readFile(file));
  } catch (error) {
    if (error instanceof FeedError || !(error instanceof Error)) throw error;
    throw new FeedError(`${path} cannot be read: ${error.message}`, { cause: error });
  }
}
