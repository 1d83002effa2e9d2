import { type CollectOptions, collect } from "./collection/collect.ts";
import type { FeedState } from "./collection/feed-state.ts";
import { siteFiles } from "./feeds/site-files.ts";
import type { Provider } from "./notice.ts";
import { currentFolder, publish } from "./output/output-folder.ts";
import { readState, type StateSource } from "./output/read-state.ts";

export interface BuildOptions extends CollectOptions {
  readonly providers: readonly Provider[];
  /** Where the files are written; what else is in there stays. */
  readonly output: string;
  /** What was known before. @default the output folder */
  readonly state?: StateSource;
  /** Where the files will be served, for the addresses in them. */
  readonly base_url: string;
}

export interface BuildResult {
  readonly state: FeedState;
  /** Nothing was known before. */
  readonly isFirstRun: boolean;
}

/**
 * One run: reads the pages and writes the files, whole or not at all. A provider that is stale is
 * no error; the state's `statuses` say so.
 * @throws StateError what was known before cannot be read; nothing was written
 * @throws OutputError the folder cannot be written to in one step; nothing was written
 * @throws the signal's reason; nothing was written
 */
export async function buildFeed(options: BuildOptions): Promise<BuildResult> {
  const { providers, output, signal, base_url, limits = {} } = options;
  const source = options.state ?? { kind: "output", folder: output };
  const replaced = await currentFolder(output);
  const before = await readState(source, { ...limits, signal });
  const state = await collect(providers, before, options);
  signal?.throwIfAborted();
  await publish(output, siteFiles(state, providers, withSlash(base_url)), replaced);
  return { state, isFirstRun: before.checked_at === "" };
}

export const withSlash = (url: string): string => (url.endsWith("/") ? url : `${url}/`);
