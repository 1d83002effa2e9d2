import { hash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { gzip as gzipCallback } from "node:zlib";
import type { FeedState } from "../collection/feed-state.ts";
import { currentFolder } from "../output/output-folder.ts";
import { readFolder } from "../output/read-state.ts";

const gzip = promisify(gzipCallback);

export interface SiteFile {
  readonly type: string;
  readonly etag: string;
  readonly body: Buffer;
  /** The same, packed; null where it is made for one request. */
  readonly gzip: Buffer | null;
}

export interface SiteSnapshot {
  readonly folder: string;
  readonly state: FeedState;
  readonly files: ReadonlyMap<string, SiteFile>;
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".xml": "application/rss+xml; charset=utf-8",
  ".ics": "text/calendar; charset=utf-8",
};

/** The files as they are published, in memory; what is published later is seen at once. */
export class PublishedSite {
  readonly #output: string;
  #snapshot: SiteSnapshot | null = null;
  #loading: Promise<SiteSnapshot> | null = null;

  constructor(output: string) {
    this.#output = output;
  }

  /**
   * All of one run.
   * @returns null before the first publication
   * @throws StateError the files are damaged
   */
  async snapshot(): Promise<SiteSnapshot | null> {
    const folder = await currentFolder(this.#output);
    if (folder === null || folder === this.#snapshot?.folder) return this.#snapshot;
    this.#loading ??= load(folder).finally(() => {
      this.#loading = null;
    });
    this.#snapshot = await this.#loading;
    return this.#snapshot;
  }
}

async function load(folder: string): Promise<SiteSnapshot> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = new Map<string, SiteFile>();
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const body = await readFile(path);
    const name = relative(folder, path).split(sep).join("/");
    files.set(name, { ...fileOf(name, body), gzip: await gzip(body) });
  }
  return { folder, state: await readFolder(folder), files };
}

export function fileOf(name: string, body: Buffer): SiteFile {
  const isFeed = name.endsWith("feed.json");
  const type = isFeed ? "application/feed+json; charset=utf-8" : types[extname(name)];
  // Weak, because it is the same for packed and unpacked bytes.
  const etag = `W/"${hash("sha256", body, "base64url").slice(0, 27)}"`;
  return { type: type ?? "application/octet-stream", etag, body, gzip: null };
}
