import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { emptyState, type FeedState } from "../collection/feed-state.ts";
import { fetchText } from "../fetching/fetch-text.ts";
import { fetchWithRetries, type RetryOptions } from "../fetching/fetch-with-retries.ts";
import { bundledState } from "./bundled-state.ts";
import { currentFolder } from "./output-folder.ts";
import { parseState } from "./parse-state.ts";
import { StateError } from "./state-error.ts";

/** Where a run reads the earlier state from. */
export type StateSource =
  /** The output folder; if it has no feed yet, this is a first run. */
  | { readonly kind: "output"; readonly folder: string }
  /** A folder with an earlier output, or the URL where one is served. */
  | { readonly kind: "feed"; readonly location: string }
  /** A first run that knows what the providers' pages had when this version was made. */
  | { readonly kind: "bundled" }
  /** Always a first run. */
  | { readonly kind: "none" };

/**
 * @throws StateError the state cannot be read. A run counts as the first only if the output folder has no feed yet, or
 * if the caller says so
 */
export async function readState(source: StateSource, options: RetryOptions): Promise<FeedState> {
  if (source.kind === "none") return emptyState;
  if (source.kind === "bundled") return bundledState();
  if (source.kind === "output") {
    return (await holdsFeed(source.folder)) ? readFolder(source.folder) : emptyState;
  }
  const { location } = source;
  return /^https?:\/\//i.test(location) ? readUrl(location, options) : readFolder(location);
}

/** A run that was killed before its first output leaves dangling links and no feed. */
async function holdsFeed(folder: string): Promise<boolean> {
  if ((await currentFolder(folder)) !== null) return true;
  const entry = await lstat(join(folder, "v1")).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw new StateError(`${folder} cannot be read (${error.code})`, { cause: error });
  });
  return entry !== null && !entry.isSymbolicLink();
}

export async function readFolder(folder: string): Promise<FeedState> {
  const root = (await currentFolder(folder)) ?? folder;
  const read = (name: string): Promise<string> =>
    readFile(join(root, name), "utf8").catch((error: NodeJS.ErrnoException) => {
      throw new StateError(`${folder}: ${name} cannot be read (${error.code})`, { cause: error });
    });
  const state = parseState(
    await read("v1/deprecations.json"),
    await read("v1/status.json"),
    folder,
  );
  // Only for people: a state from before there were any is complete without them.
  const optional = (name: string): Promise<string> =>
    readFile(join(root, name), "utf8").catch(() => "");
  return { ...state, pages: await readPages(state.statuses, optional) };
}

async function readPages(
  statuses: FeedState["statuses"],
  read: (name: string) => Promise<string>,
): Promise<FeedState["pages"]> {
  const pages = await Promise.all(
    statuses.map(async ({ slug }) => {
      const text = await read(`v1/snapshots/${slug}.txt`);
      const changes = text === "" ? "" : await read(`v1/snapshots/${slug}.changes.txt`);
      return [slug, { text, changes }] as const;
    }),
  );
  return new Map(pages.filter(([, { text }]) => text !== ""));
}

async function readUrl(location: string, options: RetryOptions): Promise<FeedState> {
  const base = location.endsWith("/") ? location : `${location}/`;
  const read = async (name: string): Promise<string> => {
    const url = new URL(name, base).href;
    try {
      const answer = await fetchWithRetries(url, options);
      return answer?.text ?? "";
    } catch (error) {
      options.signal?.throwIfAborted();
      throw new StateError(error instanceof Error ? error.message : url, { cause: error });
    }
  };
  const state = parseState(
    await read("v1/deprecations.json"),
    await read("v1/status.json"),
    location,
  );
  const optional = (name: string): Promise<string> =>
    fetchText(new URL(name, base).href, {
      ...options,
      timeoutMs: options.timeoutMs ?? 10_000,
    }).then(
      (answer) => answer?.text ?? "",
      () => {
        options.signal?.throwIfAborted();
        return "";
      },
    );
  return { ...state, pages: await readPages(state.statuses, optional) };
}
