import { type CollectOptions, collect } from "../collection/collect.ts";
import type { FeedState } from "../collection/feed-state.ts";
import type { ProviderStatus } from "../collection/provider-status.ts";
import type { Provider } from "../notice/notice.ts";
import { currentFolder, publish } from "../output/output-folder.ts";
import { readState, type StateSource } from "../output/read-state.ts";
import { siteFiles } from "../output/site-files.ts";

export interface BuildOptions extends CollectOptions {
  readonly providers: readonly Provider[];
  /** Where the files are written; what else is in there stays. */
  readonly output: string;
  /** What was known before. @default the output folder */
  readonly state?: StateSource;
  /** Where the files will be served, for the addresses in them. */
  readonly base_url: string;
  /** Only say what would be published; write nothing. @default false */
  readonly dryRun?: boolean;
}

export interface BuildResult {
  readonly state: FeedState;
  /** What was known before. */
  readonly before: FeedState;
  /** Nothing was known before. */
  readonly isFirstRun: boolean;
}

/**
 * One run: reads the pages and writes the files, whole or not at all. A stale provider is not an
 * error; the state's `statuses` say so.
 * @throws NothingReadError no page could be read, in this run or an earlier one; nothing was written
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
  const result = { state, before, isFirstRun: before.checked_at === "" };
  if (options.dryRun) return result;
  // An empty feed would look like one in which nothing is deprecated.
  if (state.statuses.length > 0 && state.statuses.every(({ last_good }) => last_good === ""))
    throw new NothingReadError(state.statuses);
  await publish(output, siteFiles(state, providers, withSlash(base_url)), replaced);
  return result;
}

/** No provider's page has ever been read, so that there is nothing to publish. */
export class NothingReadError extends Error {
  override readonly name = "NothingReadError";

  constructor(statuses: readonly ProviderStatus[]) {
    const reasons = statuses.map(({ provider, reason }) => `${provider}: ${reason}`);
    super(`no page could be read, so nothing is published. ${reasons.join("; ")}`);
  }
}

export const withSlash = (url: string): string => (url.endsWith("/") ? url : `${url}/`);
