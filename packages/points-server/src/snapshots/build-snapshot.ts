import { accrue } from "../accrual/accrue.ts";
import { SwapRules } from "../accrual/swap-rules.ts";
import { LedgerReader } from "../ledger/ledger-reader.ts";
import type { Program } from "../program/program.ts";
import type { PointsDatabase } from "../storage/database.ts";
import { deleteWithdrawn } from "./delete-withdrawn.ts";
import { rankingRules } from "./ranking-rules.ts";
import { SnapshotBuild } from "./snapshot-build.ts";
import type { SnapshotInfo } from "./snapshot-info.ts";
import { writeRankings } from "./write-rankings.ts";

const defaultEventsPerBase = 250_000;

export interface SnapshotOptions {
  readonly signal: AbortSignal;
  /** Unix seconds. @default now */
  readonly time?: number;
  /** See `AccrualOptions`. @default 250000 */
  readonly eventsPerBase?: number;
}

/**
 * Builds a snapshot beside the one that is read, and puts it in its place. Killed at any moment, it has
 * either been published or never been.
 * @throws SnapshotSupersededError StoreUnavailableError, the signal's reason
 */
export async function buildSnapshot(
  database: PointsDatabase,
  program: Program,
  options: SnapshotOptions,
): Promise<SnapshotInfo> {
  const { signal, time = Math.floor(Date.now() / 1000) } = options;
  const build = await SnapshotBuild.begin(database, time, signal);
  await deleteWithdrawn(database, signal);
  const { accounts, newBase } = await accrue({
    reader: new LedgerReader(database, signal),
    program,
    time,
    seq: build.seq,
    base: build.base,
    storage: build,
    eventsPerBase: options.eventsPerBase ?? defaultEventsPerBase,
  });
  const earnings = accounts.count(new SwapRules(program));
  const rules = rankingRules(earnings, await build.readDomains());
  const counts = await writeRankings(build, earnings.book, rules);
  await build.publish(counts, newBase);
  await deleteWithdrawn(database, signal);
  const { total, lp, swaps } = counts;
  return { id: String(build.id), time, totalItems: { total, lp, swaps } };
}
