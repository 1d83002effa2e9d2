import { existsSync } from "node:fs";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { styleText } from "node:util";
import {
  annotations,
  baselineOf,
  beyondBaseline,
  type CheckReport,
  checkBadge,
  checkModels,
  type Feed,
  feedWarnings,
  findModels,
  isOnPlatform,
  jobSummary,
  type ModelPlace,
  type Paint,
  parseBaseline,
  readFeed,
  reportText,
  sarif,
  suggestModels,
} from "@proj/deprecation-feed";
import { readRouteModels } from "@proj/gateway-protocol";
import {
  type Command,
  defineCommand,
  exitCode,
  flag,
  jsonOption,
  oneOf,
  operands,
  optional,
  ProgramError,
  readWithDefault,
  repeated,
  wholeNumber,
  withDefault,
} from "@proj/program";
import { defaultOutput } from "./site-options.ts";

const defaultFeed = `${defaultOutput}/v1/feed.json`;

export const check: Command = defineCommand({
  name: "check",
  summary: "say which models are deprecated, and when they shut down",
  no: "a model shuts down within --within days",
  operand: operands("MODEL", "ids of models"),
  options: {
    feed: withDefault("URL|FILE", "the feed", defaultFeed, {
      short: "f",
      completion: "files",
    }),
    config: repeated(
      "FILE",
      "check the route keys and upstream models of a gateway's configuration",
      { short: "c", completion: "files" },
    ),
    source: repeated("PATH", "search a source tree or a file for ids that the feed knows", {
      short: "s",
      completion: "files",
    }),
    within: readWithDefault(
      wholeNumber("DAYS", "how many days ahead a shutdown fails the check", {
        short: "w",
        min: 0,
        max: 36_500,
      }),
      30,
    ),
    provider: repeated("NAME", "check only against this provider's notices"),
    format: readWithDefault(
      oneOf(
        "FORM",
        ["text", "json", "github", "sarif"],
        "text, json, github for annotations, or sarif for code scanning",
      ),
      "text",
    ),
    json: jsonOption("the same as --format json"),
    exclude: repeated("PATTERN", "skip files that match this pattern in .gitignore's syntax"),
    baseline: optional("FILE", "accepted findings: only new ones count", {
      completion: "files",
    }),
    "write-baseline": flag("accept all findings: write them to --baseline FILE"),
    badge: optional("FILE", "write an SVG badge of the result", { completion: "files" }),
    "allow-stale": flag("pass even if the feed is out of date or could not read a page"),
  },
  check({ operand: models, options }, refuse) {
    const { config, source } = options;
    if (models.length + config.length + source.length === 0)
      refuse("check needs models, --config FILE or --source PATH");
    if (options["write-baseline"] && options.baseline === null)
      refuse("--write-baseline needs --baseline FILE");
  },
  async run({ operand: models, options }, { calledAs, signal }) {
    const { within, provider: providers, json } = options;
    if (options.feed === defaultFeed && !existsSync(defaultFeed))
      throw new ProgramError(
        `there is no feed in ${defaultOutput} yet: '${calledAs} build' makes one, and --feed names another`,
        exitCode.failed,
      );
    const feed = await readFeed(options.feed, { signal });
    const places = await placesOf({ models, ...options }, feed, signal);
    const checks = checkModels(places.keys(), feed, { withinDays: within, providers });
    // A model of a platform that the feed does not know is not a finding in a source tree.
    const isAsked = (model: string): boolean => models.includes(model) || options.config.length > 0;
    const asked = checks.filter(
      ({ model, verdict }) => verdict !== "unknown" || isAsked(model) || !isOnPlatform(model),
    );
    const all = asked.map((one) => ({
      ...one,
      places: places.get(one.model) ?? [],
      ...(one.verdict === "unknown" ? { suggestions: suggestModels(one.model, feed) } : {}),
    }));
    const { baseline } = options;
    if (baseline !== null && options["write-baseline"]) {
      await writeFile(baseline, baselineOf(all));
      console.error(`${baseline} now accepts these findings`);
      return exitCode.done;
    }
    const checked =
      baseline === null
        ? all
        : beyondBaseline(all, parseBaseline(await readFile(baseline, "utf8"), baseline));
    if (options.badge !== null) await writeFile(options.badge, checkBadge(checked));
    const report: CheckReport = {
      feed: feed.location,
      within_days: within,
      models: checked,
      warnings: feedWarnings(feed, providers),
    };
    process.stdout.write(write(report, json ? "json" : options.format));
    const { GITHUB_STEP_SUMMARY: summary } = process.env;
    if (options.format === "github" && summary) await appendFile(summary, jobSummary(report));
    if (checked.some(({ verdict }) => verdict === "ending")) return exitCode.no;
    const isUncertain = report.warnings.length > 0 && !options["allow-stale"];
    return isUncertain ? exitCode.failed : exitCode.done;
  },
});

/** The models to check, and where to look for more. */
interface Searched {
  readonly models: readonly string[];
  readonly config: readonly string[];
  readonly source: readonly string[];
  readonly exclude: readonly string[];
}

function write(report: CheckReport, format: "text" | "json" | "github" | "sarif"): string {
  if (format === "json") return `${JSON.stringify(report, null, 1)}\n`;
  if (format === "sarif") return sarif(report);
  return format === "github" ? annotations(report) : reportText(report, paint);
}

/** Colours the text if the output is a terminal that supports it. */
const paint: Paint = (verdict, text) => {
  const colours = {
    ending: "red",
    deprecated: "yellow",
    active: "green",
    unknown: "gray",
  } as const;
  return styleText(colours[verdict], text, { stream: process.stdout });
};

/** The models to look up, and where each is named; models from the command line have no place. */
async function placesOf(
  { models, config, source, exclude }: Searched,
  feed: Feed,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly ModelPlace[]>> {
  const places = new Map<string, ModelPlace[]>(models.map((model) => [model, []]));
  const add = (model: string, place: ModelPlace): void => {
    const known = places.get(model);
    if (known === undefined) places.set(model, [place]);
    else known.push(place);
  };
  for (const file of config) {
    const { models: routed, unread } = readRouteModels(file);
    for (const key of unread) {
      console.error(
        `${file}: the upstream_model of route '${key}' refers to a variable that is not set; it was not checked`,
      );
    }
    for (const model of routed) add(model, { file, line: null, column: null });
  }
  const known = new Set(
    feed.items.flatMap(({ _deprecation: { model_id, aliases } }) => [model_id, ...aliases]),
  );
  known.delete("");
  for (const path of source) {
    const { found, skipped, isCut } = await findModels(path, known, { exclude, signal });
    if (isCut) console.error(`${path} is too large to search completely; there may be more`);
    for (const { file, reason } of skipped) console.error(`${file} was not searched: ${reason}`);
    for (const { model, prefix, file, line, column } of found)
      add(isOnPlatform(prefix) ? `${prefix}${model}` : model, { file, line, column });
  }
  return places;
}
