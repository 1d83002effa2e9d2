import { readFeedFile } from "#feed-file";
import type { Deprecation } from "../feeds/deprecation.ts";
import { FetchError } from "../fetching/fetch-error.ts";
import { fetchText, type Validators } from "../fetching/fetch-text.ts";
import { fetchWithRetries } from "../fetching/fetch-with-retries.ts";
import { FeedError } from "./feed-error.ts";
import { type FeedStatus, parseFeedStatus } from "./feed-status.ts";
import { parseFeed, type ReadItem } from "./parse-feed.ts";

export interface Feed extends Validators {
  /** The location it was read from. */
  readonly location: string;
  readonly title: string;
  readonly items: readonly ReadItem[];
  /** How well the feed could read its sources; null: it does not say. */
  readonly status: FeedStatus | null;
}

export interface ReadFeedOptions {
  /** The result of an earlier call for the same location; returned again if nothing has changed. */
  readonly previous?: Feed | null;
  /** Values for members that an item's `_deprecation` omits. @default empty texts and lists */
  readonly defaults?: Partial<Deprecation>;
  /** Milliseconds per request. @default 10000 */
  readonly timeoutMs?: number;
  /** How many requests at most. @default 3 */
  readonly attempts?: number;
  /** Largest feed, decompressed. @default 32 MiB */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads a JSON Feed of deprecations, made by this project or another one. A site's URL ending in a slash, or a folder
 * written by `buildFeed`, means its `v1/feed.json`.
 * @throws FeedError it cannot be read, or is not a JSON Feed; or the signal's reason
 */
export async function readFeed(urlOrFile: string, options: ReadFeedOptions = {}): Promise<Feed> {
  const { defaults = {} } = options;
  if (!/^https?:\/\//i.test(urlOrFile)) {
    const { path, ...file } = await readFeedFile(urlOrFile, options.maxBytes ?? defaultMaxBytes);
    const validators = { etag: null, last_modified: null };
    const status = parseFeedStatus(file.status);
    return { location: path, ...parseFeed(file.text, path, defaults), status, ...validators };
  }
  const url = urlOrFile.endsWith("/") ? `${urlOrFile}v1/feed.json` : urlOrFile;
  const previous = options.previous?.location === url ? options.previous : null;
  const [answer, status] = await Promise.all([
    fetchFeed(url, previous, options),
    fetchStatus(url, options),
  ]);
  if (answer === null && previous !== null)
    return JSON.stringify(status) === JSON.stringify(previous.status)
      ? previous
      : { ...previous, status };
  const { text = "", etag = null, last_modified = null } = answer ?? {};
  return { location: url, ...parseFeed(text, url, defaults), status, etag, last_modified };
}

/** The status.json next to the feed; a feed without one can still be read. */
async function fetchStatus(url: string, options: ReadFeedOptions): Promise<FeedStatus | null> {
  const { timeoutMs = 10_000, signal } = options;
  const address = new URL("status.json", url).href;
  const answer = await fetchText(address, { timeoutMs, maxBytes: 4 * 1024 * 1024, signal }).catch(
    () => null,
  );
  signal?.throwIfAborted();
  return answer === null ? null : parseFeedStatus(answer.text);
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
      isConditionalOnce: true,
      accept: "application/feed+json, application/json;q=0.9, */*;q=0.5",
    });
  } catch (error) {
    if (error instanceof FetchError) throw new FeedError(error.message, { cause: error });
    throw error;
  }
}
