import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { packFile, plainFile, type StaticFile } from "@proj/program/page";
import type { FeedState } from "../collection/feed-state.ts";
import { currentFolder } from "../output/output-folder.ts";
import { readFolder } from "../output/read-state.ts";

export interface SiteSnapshot {
  readonly folder: string;
  readonly state: FeedState;
  readonly files: ReadonlyMap<string, StaticFile>;
}

/** The published files, in memory; a new publication is seen at once. */
export class PublishedSite {
  readonly #output: string;
  #snapshot: SiteSnapshot | null = null;
  #loading: Promise<SiteSnapshot> | null = null;

  constructor(output: string) {
    this.#output = output;
  }

  /**
   * All files of one run.
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
  const files = new Map<string, StaticFile>();
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const body = await readFile(path);
    const name = relative(folder, path).split(sep).join("/");
    const { mtime } = await stat(path);
    files.set(name, await packFile({ ...fileOf(name, body), modified: mtime }));
  }
  return { folder, state: await readFolder(folder), files };
}

/** A file of the site, uncompressed. @param path below the site's root */
export const fileOf = (path: string, body: Buffer): StaticFile =>
  plainFile(
    path,
    body,
    path.endsWith("feed.json") ? "application/feed+json; charset=utf-8" : undefined,
  );
