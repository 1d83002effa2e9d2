import { type RolloutQuery, readRollouts } from "@proj/launcher-client";
import { type ReportOptions, reportJob } from "@proj/launcher-client/statistics";
import {
  type Context,
  flag,
  jsonOption,
  type Option,
  optional,
  optionalAs,
  type Refuse,
  readWithDefault,
  repeatedAs,
  wholeNumber,
  withDefault,
} from "@proj/program";
import type { JobReader } from "@proj/session-store";
import type { ValuesOf } from "../options-of.ts";
import { requireJob } from "../storage.ts";
import { type StorageSettings, storageOptions } from "../storage-option.ts";
import { type GatedReport, gateOf } from "./gate.ts";

export function finite(text: string, refuse: Refuse): number | undefined {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isFinite(value)) return value;
  refuse(`must be a number, not '${text}'`);
  return undefined;
}

export const failedAs: Option<number | null> = optionalAs(
  "SCORE",
  "count rollouts that failed with this score; they are left out by default",
  finite,
);

/** How scores are chosen and summed up, in `report` and `compare`. */
export const reportOptions = {
  score: withDefault("NAME", "which score: the reward, or one of the table scores", "reward"),
  by: optional("AUTHOR", "only its scores: evaluator, judge:NAME or person:NAME"),
  pass: optionalAs("SCORE", "a rollout passes with at least this; 1 by default", finite),
  k: repeatedAs(
    "N",
    "for pass@k and pass^k; 1 and the number of rollouts of every task by default",
    (text, refuse) => {
      const k = finite(text, refuse);
      if (k !== undefined && (!Number.isSafeInteger(k) || k < 1)) refuse("must be 1 or more");
      return k;
    },
  ),
  "failed-as": failedAs,
  tools: flag("count tool calls that failed, which reads every step"),
  seed: readWithDefault(
    wholeNumber("N", "of the bootstrap's draws", { min: 0, max: 2 ** 32 - 1 }),
    1,
  ),
  ...storageOptions(),
  json: jsonOption("as JSON"),
  html: optional("FILE", "write one HTML file instead, without scripts", { completion: "files" }),
};

export type ReportSettings = ValuesOf<typeof reportOptions>;

/** @throws ProgramError there is no such job */
export async function readReport(
  store: Omit<JobReader, "browser">,
  job_id: string,
  settings: Omit<ReportSettings, keyof StorageSettings | "json" | "html"> & {
    readonly "min-reward"?: number | null;
  },
  context: Context,
): Promise<GatedReport> {
  await requireJob(store, job_id, context);
  const { score, by, tools } = settings;
  const query: RolloutQuery = { job_id, score, author: by ?? undefined, tools };
  const rollouts = await readRollouts(store, { ...query, signal: context.signal });
  const options: ReportOptions = {
    pass: settings.pass ?? 1,
    failed_as: settings["failed-as"],
    seed: settings.seed,
    ...(settings.k.length === 0 ? {} : { k: settings.k }),
  };
  const report = { job_id, ...reportJob(rollouts, options) };
  const min_reward = settings["min-reward"] ?? null;
  if (min_reward === null) return report;
  return { ...report, gate: gateOf(report, min_reward, settings["failed-as"]) };
}
