import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import { compileRules, spanOf } from "../accrual/rules.ts";
import { windowSeconds } from "../accrual/window.ts";
import type { Program, Season } from "../program/program.ts";
import { ProgramHistory } from "../program/program-history.ts";
import { type DatedRules, ruleSetOf } from "../program/rule-set.ts";
import type { PointsDatabase, PointsSource } from "../storage/source.ts";
import { buildSnapshot, type SnapshotOptions } from "./build-snapshot.ts";
import type { SnapshotInfo } from "./snapshot-info.ts";

const defaultHistoryDays = 7;

export interface SnapshotsOptions extends Omit<SnapshotOptions, "season" | "historyDays" | "ties"> {
  /** Applies the program's rules to all events ever. @default false */
  readonly recompute?: boolean;
}

/**
 * Builds the all-time snapshot, and those of the seasons that may have changed. A changed program applies from
 * now on.
 * @throws ProgramChangeError SnapshotSupersededError StoreUnavailableError, the signal's reason
 */
export async function buildSnapshots(
  database: PointsDatabase,
  program: Program,
  { recompute = false, ...options }: SnapshotsOptions,
): Promise<SnapshotInfo> {
  const { time = Math.floor(Date.now() / 1000) } = options;
  const known = new ProgramHistory(database);
  const history = recompute
    ? [{ valid_from: 0, rules: ruleSetOf(program) }]
    : await known.with(program, time);
  await known.put(history);
  const { historyDays = defaultHistoryDays, ranking: { ties } = {} } = program;
  const info = await buildSnapshot(database, history, { ...options, time, ties, historyDays });
  for (const season of program.seasons ?? []) {
    if (await isDue(database, history, season, time))
      await buildSnapshot(database, history, { ...options, time, ties, season });
  }
  return info;
}

const findNewest = query(({ db }: PointsSource) =>
  db
    .selectFrom("snapshots")
    .select(["time", "seq", "rules"])
    .where("season", "=", parameter<string>("season"))
    .where("state", "=", "published")
    .orderBy("id", "desc")
    .limit(1),
);
const findLate = query(({ db }: PointsSource) => db.selectFrom("ledger").select("late_seq"));

/** Whether the season's ranking may have changed since its last snapshot. */
async function isDue(
  database: PointsDatabase,
  history: readonly DatedRules[],
  season: Season,
  time: number,
): Promise<boolean> {
  const span = spanOf(season);
  if (time < span.start) return false;
  const [last] = (await database.run(findNewest, { season: season.name })).rows;
  // Events that arrive for an earlier time than this are recorded as late.
  if (last === undefined || last.time - windowSeconds < span.end) return true;
  const [ledger] = (await database.run(findLate)).rows;
  return last.seq < (ledger?.late_seq ?? 0) || last.rules !== compileRules(history, span).text;
}
