import {
  exportFormats,
  type LeftOut,
  parseRolloutFilter,
  rolloutFilterForms,
  type StaleTokens,
  WeightAges,
  whyNothingIsExported,
} from "@proj/launcher-client";
import {
  type Command,
  defineCommand,
  exitCode,
  flag,
  type Option,
  oneOf,
  optional,
  optionalAs,
  ProgramError,
  readWithDefault,
  repeatedAs,
  UsageError,
} from "@proj/program";
import { isArchive, ofJob, reading, requireJob } from "../storage.ts";
import { dbPathOf, storageOptions } from "../storage-option.ts";
import { isEmptyExport } from "./write-export.ts";

const ofRollouts = { group: "Rollouts (every format but steps)" };

const sinceOption: Option<Date | null> = optionalAs(
  "TIME",
  "only attempts that ended at this time or later, such as 2026-05-01 or 2026-05-01T12:00:00Z",
  (text, refuse) => {
    const time = new Date(text);
    if (!Number.isNaN(time.getTime())) return time;
    refuse(`must be a date or a time in ISO 8601, not '${text}'`);
    return undefined;
  },
  ofRollouts,
);

const formatNames = ["steps", ...exportFormats.map(({ name }) => name)];
const formatLines = exportFormats.map(({ name, summary }) => `  ${name.padEnd(18)} ${summary}\n`);

/** Not called `export`, which is a keyword of the language. */
export const exportSteps: Command = defineCommand({
  name: "export",
  summary: "write finished simulations with their rewards, for trainers",
  about: `Writes finished simulations that have a reward as JSON Lines. By default a line is a step with
status 200; the other formats write whole rollouts:

${formatLines.join("")}`,
  no: "there is no such job, or nothing to export",
  options: {
    ...storageOptions(),
    "job-id": optional("ID", "only this job"),
    output: optional("FILE", "instead of standard output", { short: "o", completion: "files" }),
    format: readWithDefault(oneOf("NAME", formatNames, "the format"), "steps"),
    include: oneOf(
      "STATUS",
      ["failed", "infrastructure", "all"],
      "also attempts that failed, infrastructure failures, or both",
      ofRollouts,
    ),
    filter: repeatedAs(
      "FILTER",
      `only attempts with ${rolloutFilterForms}`,
      (text, refuse) => {
        const filter = parseRolloutFilter(text);
        if (filter === null) refuse(`must be ${rolloutFilterForms} and a value, not '${text}'`);
        return filter ?? undefined;
      },
      ofRollouts,
    ),
    since: sinceOption,
    parquet: flag("write a Parquet file instead of JSON Lines", ofRollouts),
    follow: flag(
      "append groups as they end, until the job is over; a later run continues where this one stopped",
      ofRollouts,
    ),
    "max-staleness": optionalAs(
      "N",
      "mask tokens sampled by weights more than N versions older than the newest in the export, by the last number in their names; says at the end how many",
      (text, refuse) => {
        if (/^\d{1,9}$/.test(text)) return Number(text);
        refuse(`must be a whole number, not '${text}'`);
        return undefined;
      },
      ofRollouts,
    ),
    "side-calls": flag("include sequences of side calls, such as titles", ofRollouts),
  },
  check({ options }, refuse) {
    const { include, filter, since, follow } = options;
    if (follow && (options["job-id"] === null || options.output === null))
      refuse("--follow needs a --job-id and an --output");
    if (options.parquet && (follow || options.output === null))
      refuse("--parquet needs an --output, and excludes --follow");
    if (options.format !== "steps") return;
    const ofRolloutsAlone =
      include !== null ||
      filter.length > 0 ||
      since !== null ||
      options["max-staleness"] !== null ||
      options["side-calls"];
    if (ofRolloutsAlone || follow || options.parquet)
      refuse(
        "--include, --filter, --since, --parquet, --follow, --max-staleness and --side-calls need a --format other than steps",
      );
  },
  run: ({ options }, context) => {
    const db_path = dbPathOf(options);
    if (options.follow && isArchive(db_path))
      throw new UsageError("--follow needs a database: an archive does not grow");
    return reading(
      db_path,
      async (store) => {
        const { "job-id": id, output, include, since, filter } = options;
        if (id !== null) await requireJob(store, id, context);
        const job_id = id ?? undefined;
        const format = exportFormats.find(({ name }) => name === options.format);
        const leftOut: LeftOut[] = [];
        const staleness = options["max-staleness"];
        const weights = staleness === null ? undefined : new WeightAges(staleness);
        using _said = {
          [Symbol.dispose]: () =>
            void process.stderr.write(leftOutText(leftOut) + staleText(weights?.tokens)),
        };
        const chosen = {
          job_id,
          include_failed: include === "failed" || include === "all",
          include_infrastructure: include === "infrastructure" || include === "all",
          since: since ?? undefined,
          filters: filter,
          weights,
          keep_side_calls: options["side-calls"],
          signal: context.signal,
          onLeftOut: (left: LeftOut) => leftOut.push(left),
        };
        const target = {
          format,
          job_id: id,
          output,
          follow: options.follow,
          parquet: options.parquet,
        };
        if (!(await isEmptyExport(store, target, chosen))) return exitCode.done;
        const why = await whyNothingIsExported(store, {
          ...{ ...chosen, format },
          launcher: context.calledAs,
        });
        throw new ProgramError(`nothing is exported: ${why}`, exitCode.no);
      },
      ofJob(options["job-id"], context),
    );
  },
});

function staleText(tokens: StaleTokens | undefined): string {
  if (tokens === undefined) return "";
  const { masked, unknown } = tokens;
  const kept = unknown === 0 ? "" : `; kept ${unknown} of unknown weights`;
  return `masked ${masked} tokens of older weights${kept}\n`;
}

function leftOutText(left: readonly LeftOut[]): string {
  const [first] = left;
  if (first === undefined) return "";
  const rollouts = left.length === 1 ? "1 rollout" : `${left.length} rollouts`;
  return `left out ${rollouts}: a request refers to an answer or a conversation that is not in its session's rows (partial_history); the first: session ${first.session_id}, step ${first.step}\n`;
}
