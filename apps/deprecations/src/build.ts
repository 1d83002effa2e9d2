import {
  type BuildResult,
  buildFeed,
  type ProviderStatus,
  type RowChange,
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
  no: "published, but a page could not be read, or not completely",
  options: {
    ...siteOptions,
    state: optional(
      "DIR|URL|bundled|none",
      "where earlier results are read from, a folder or a URL (default: the folder of --out; if it has no feed, this is a first run); bundled: a first run that knows what the pages had when this version was made; none: make this a first run in any case",
      { completion: "files" },
    ),
    accept: repeatedAs(
      "SLUG[:MODEL]",
      "publish this provider's page, or only one model's row, as it is now",
      (accepted, refuse) => {
        const unknown = unknownSlug(accepted.split(":", 1)[0] ?? "");
        return unknown === null ? accepted : void refuse(unknown);
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
    const hasGaps = result.state.statuses.some(({ state }) => state !== "fresh");
    return hasGaps ? exitCode.no : exitCode.done;
  },
});

function stateOf(state: string | null, out: string): StateSource {
  if (state === null) return { kind: "output", folder: out };
  return state === "none" || state === "bundled"
    ? { kind: state }
    : { kind: "feed", location: state };
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
    providers: statuses.map(
      ({ slug, state, failure, reason, held_back, unread, models, last_good }) => ({
        slug,
        state,
        failure,
        reason,
        held_back,
        unread,
        models,
        last_good,
      }),
    ),
  };
}

/** Prints the result of a run for people; pages that could not be read go to standard error. */
export function printRun(result: BuildResult, out: string, calledAs: string): void {
  const { first_run, models, new_models, changes } = summary(result, out);
  const place = out === defaultOutput ? "" : ` --out ${out}`;
  const accepting = (slug: string): string => `${calledAs} build${place} --accept ${slug}`;
  for (const status of result.state.statuses) {
    if (status.state === "stale") console.error(staleLine(status, accepting(status.slug)));
    if (status.state === "read with gaps") console.error(gapLines(status, accepting(status.slug)));
  }
  const news = first_run ? "the first run" : `${new_models} new, ${changes} changed`;
  console.log(`${result.state.checked_at} ${models} models in ${out}: ${news}`);
}

/** @param accepting the command that publishes the page as it is */
function staleLine(
  { provider, reason, last_good, models, failure }: ProviderStatus,
  accepting: string,
): string {
  const line =
    last_good === ""
      ? `${provider} could not be read yet: ${reason}`
      : `${provider} is stale: ${reason}; keeping its ${models} models of ${last_good}`;
  return failure === "page" ? `${line}\n    If the page is right: ${accepting}` : line;
}

/** The rows and lines that a person has to look at, the old words above the new ones. */
function gapLines(
  { provider, reason, held_back, unread }: ProviderStatus,
  accepting: string,
): string {
  const entries = [
    ...held_back.map((row) =>
      [
        changeLine(row),
        `      because ${row.reason}`,
        ...wordLines("was", row.old_words),
        ...wordLines("now", row.new_words),
      ].join("\n"),
    ),
    ...unread.map(({ place, words }) => `    unread, under ${place}:\n      ${words}`),
  ];
  const shown = entries.slice(0, shownEntries);
  const more = entries.length - shown.length;
  return [
    `${provider} was read with gaps: ${reason}`,
    ...shown,
    ...(more > 0 ? [`    and ${more} more, in v1/status.json`] : []),
    `    If all of it is right: ${accepting}; for one row: ${accepting}:MODEL`,
  ].join("\n");
}

const wordLines = (label: string, words: string): readonly string[] =>
  words === "" ? [] : [`      ${label}: ${words.slice(words.lastIndexOf("\n") + 1)}`];

const shownEntries = 10;

/** What a run changes, provider by provider. */
function changeLines({ state, before }: BuildResult): readonly string[] {
  return state.statuses.flatMap(({ provider, slug }) => {
    const of = ({ catalogue }: BuildResult["state"]) =>
      catalogue.notices.filter((notice) => notice.slug === slug && notice.last_observed === "");
    const lines = rowChanges(of(before), of(state)).map(changeLine);
    return lines.length === 0 ? [] : [`${provider}:`, ...lines];
  });
}

function changeLine({ model_id, field, from, to }: RowChange): string {
  if (field !== "model") return `    ${model_id}: ${field} ${from || "none"} → ${to || "none"}`;
  return to === "" ? `    - ${model_id} (${from})` : `    + ${model_id} (${to})`;
}
