import { type CollectOptions, collect } from "../collection/collect.ts";
import type { FeedState } from "../collection/feed-state.ts";
import type { ProviderStatus } from "../collection/provider-status.ts";
import type { Provider } from "../notice/notice.ts";
import { currentFolder, publish } from "../output/output-folder.ts";
import { readState, type StateSource } from "../output/read-state.ts";
import { siteFiles } from "../output/site-files.ts";

export interface BuildOptions extends CollectOptions {
  readonly providers: readonly Provider[];
  /** The folder for the files; other files in it are left alone. */
  readonly output: string;
  /** The earlier results. @default the output folder */
  readonly state?: StateSource;
  /** Where the files will be served; used for the URLs in them. */
  readonly base_url: string;
  /** Only report what would be published; write nothing. @default false */
  readonly dryRun?: boolean;
}

export interface BuildResult {
  readonly state: FeedState;
  /** The state before this run. */
  readonly before: FeedState;
  /** There was no state before this run. */
  readonly isFirstRun: boolean;
}

/**
 * Runs once: reads the pages, and writes all files or none. A stale provider is not an error; the state's `statuses`
 * report it.
 * @throws NothingReadError no page could be read, in this run or an earlier one; nothing was written
 * @throws StateError the earlier state cannot be read; nothing was written
 * @throws OutputError the folder cannot be replaced in one step; nothing was written
 * @throws the signal's reason; nothing was written
 */
export async function buildFeed(options: BuildOptions): Promise<BuildResult> {
  const { providers, output, signal, base_url, limits = {} } = options;
  const source = options.state ?? { kind: "output", folder: output };
  const replaced = await currentFolder(output);
  const before = await readState(source, { ...limits, signal });
  const state = await collect(providers, before, options);
  signal?.throwIfAborted();
  const result = {
    state,
    before,
    isFirstRun: before.checked_at === "" || source.kind === "bundled",
  };
  if (options.dryRun) return result;
  // An empty feed would claim that nothing is deprecated.
  if (state.statuses.length > 0 && state.statuses.every(({ last_good }) => last_good === ""))
    throw new NothingReadError(state.statuses);
  await publish(output, siteFiles(state, providers, withSlash(base_url)), replaced);
  return result;
}

/** No provider's page has ever been read, so there is nothing to publish. */
export class NothingReadError extends Error {
  override readonly name = "NothingReadError";

  constructor(statuses: readonly ProviderStatus[]) {
    const reasons = statuses.map(({ provider, reason }) => `${provider}: ${reason}`);
    super(["no page could be read, so nothing is published", ...reasons].join("\n  "));
  }
}

export const withSlash = (url: string): string => (url.endsWith("/") ? url : `${url}/`);
