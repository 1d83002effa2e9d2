import {
  type BuildResult,
  buildFeed,
  type ProviderStatus,
  type StateSource,
} from "@proj/deprecation-feed";
import type { BuildCommand } from "./command-line.ts";
import { readProviders, requireSlugs } from "./read-providers.ts";
import { defaultPort } from "./usage.ts";

/** One run. @returns the exit code */
export async function build(command: BuildCommand, signal: AbortSignal): Promise<number> {
  const { out, url, accept, pages, json } = command;
  requireSlugs("--accept", accept);
  const base_url = url ?? `http://127.0.0.1:${defaultPort}/`;
  if (url === null && !json)
    console.error(`No --url given: the addresses in the feeds begin with ${base_url}`);
  const result = await buildFeed({
    providers: readProviders(pages),
    output: out,
    base_url,
    acceptFewer: accept,
    signal,
    state: stateOf(command),
  });
  if (json) console.log(JSON.stringify(summary(result, out)));
  else printRun(result, out);
  return result.state.statuses.some(({ state }) => state === "stale") ? 1 : 0;
}

function stateOf({ state, out }: BuildCommand): StateSource {
  if (state === null) return { kind: "output", folder: out };
  return state === "none" ? { kind: "none" } : { kind: "feed", location: state };
}

function summary({ state, isFirstRun }: BuildResult, out: string) {
  const { checked_at, catalogue, statuses } = state;
  const observed = (time: string): boolean => time === checked_at;
  return {
    output: out,
    checked_at,
    first_run: isFirstRun,
    models: catalogue.notices.length,
    new_models: catalogue.notices.filter((notice) => observed(notice.date_published)).length,
    changes: catalogue.changes.filter((change) => observed(change.date_observed)).length,
    providers: statuses.map(({ slug, state, reason, models, last_good }) => ({
      slug,
      state,
      reason,
      models,
      last_good,
    })),
  };
}

/** What a run did, for people: to the error output where a page could not be read. */
export function printRun(result: BuildResult, out: string): void {
  const { first_run, models, new_models, changes } = summary(result, out);
  for (const status of result.state.statuses) {
    if (status.state === "stale") console.error(staleLine(status));
  }
  const news = first_run ? "the first run" : `${new_models} new, ${changes} changes`;
  console.log(`${result.state.checked_at} ${models} models in ${out}: ${news}`);
}

function staleLine({ provider, reason, last_good, models }: ProviderStatus): string {
  const kept =
    last_good === "" ? "nothing is known of it" : `its ${models} models of ${last_good} stay`;
  return `${provider} is stale: ${reason}; ${kept}`;
}
