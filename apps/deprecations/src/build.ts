import {
  type BuildResult,
  buildFeed,
  type ProviderStatus,
  rowChanges,
  type StateSource,
} from "@proj/deprecation-feed";
import {
  type Command,
  defineCommand,
  exitCode,
  flag,
  jsonOption,
  optional,
  repeatedAs,
} from "@proj/program";
import { readProviders } from "./read-providers.ts";
import { defaultOutput, defaultPort, siteOptions, unknownSlug } from "./site-options.ts";
import { notifier } from "./webhook.ts";

/** Runs once. */
export const build: Command = defineCommand({
  name: "build",
  summary: "read the pages once and write the files of the site",
  no: "published, but a page could not be read",
  options: {
    ...siteOptions,
    state: optional(
      "DIR|URL|none",
      "where earlier results are read from, a folder or a URL (default: the folder of --out; if it has no feed, this is a first run); none: make this a first run in any case",
      { completion: "files" },
    ),
    accept: repeatedAs(
      "SLUG",
      "publish this provider's page however much it has changed",
      (slug, refuse) => {
        const unknown = unknownSlug(slug);
        return unknown === null ? slug : void refuse(unknown);
      },
    ),
    "dry-run": flag("report what would change, and write nothing"),
    json: jsonOption("the result as JSON"),
  },
  async run({ options }, { signal, calledAs }) {
    const { out, url, accept, page, json, state, "dry-run": dryRun } = options;
    const base_url = url ?? `http://127.0.0.1:${defaultPort}/`;
    if (url === null && !json)
      console.error(`No --url given: URLs in the feeds begin with ${base_url}`);
    const notify = notifier(options.webhook);
    const result = await buildFeed({
      providers: readProviders(page),
      output: out,
      base_url,
      accept,
      signal,
      state: stateOf(state, out),
      dryRun,
    });
    if (json) console.log(JSON.stringify(summary(result, out)));
    else printRun(result, out, calledAs);
    if (!dryRun) await notify(result, signal);
    if (dryRun && !json) for (const line of changeLines(result)) console.log(line);
    const isStale = result.state.statuses.some(({ state }) => state === "stale");
    return isStale ? exitCode.no : exitCode.done;
  },
});

function stateOf(state: string | null, out: string): StateSource {
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
    providers: statuses.map(({ slug, state, failure, reason, held_back, models, last_good }) => ({
      slug,
      state,
      failure,
      reason,
      held_back,
      models,
      last_good,
    })),
  };
}

/** Prints the result of a run for people; pages that could not be read go to standard error. */
export function printRun(result: BuildResult, out: string, calledAs: string): void {
  const { first_run, models, new_models, changes } = summary(result, out);
  const place = out === defaultOutput ? "" : ` --out ${out}`;
  const accepting = (slug: string): string => `${calledAs} build --accept ${slug}${place}`;
  for (const status of result.state.statuses) {
    if (status.state === "stale") console.error(staleLine(status, accepting(status.slug)));
  }
  const news = first_run ? "the first run" : `${new_models} new, ${changes} changed`;
  console.log(`${result.state.checked_at} ${models} models in ${out}: ${news}`);
}

/** @param accepting the command that publishes the page as it is */
function staleLine(status: ProviderStatus, accepting: string): string {
  const { provider, reason, last_good, models, failure, held_back } = status;
  const kept =
    last_good === "" ? "nothing is known about it" : `keeping its ${models} models of ${last_good}`;
  const line = `${provider} is stale: ${reason}; ${kept}`;
  if (failure !== "change") return line;
  const shown = held_back.slice(0, shownChanges).map(changeLine);
  const more = held_back.length - shown.length;
  return [
    line,
    ...shown,
    ...(more > 0 ? [`    and ${more} more, in v1/status.json`] : []),
    `    If these changes are real: ${accepting}`,
  ].join("\n");
}

const shownChanges = 10;

/** What a run changes, provider by provider. */
function changeLines({ state, before }: BuildResult): readonly string[] {
  return state.statuses.flatMap(({ provider, slug }) => {
    const of = ({ catalogue }: BuildResult["state"]) =>
      catalogue.notices.filter((notice) => notice.slug === slug && notice.last_observed === "");
    const lines = rowChanges(of(before), of(state)).map(changeLine);
    return lines.length === 0 ? [] : [`${provider}:`, ...lines];
  });
}

function changeLine({ model_id, field, from, to }: ProviderStatus["held_back"][number]): string {
  if (field !== "model") return `    ${model_id}: ${field} ${from || "none"} → ${to || "none"}`;
  return to === "" ? `    - ${model_id} (${from})` : `    + ${model_id} (${to})`;
}
