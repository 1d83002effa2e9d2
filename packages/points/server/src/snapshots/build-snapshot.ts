import { accrue } from "../accrual/accrue.ts";
import type { Base } from "../accrual/base.ts";
import { allTimes, compileRules, spanOf } from "../accrual/rules.ts";
import { windowSeconds } from "../accrual/window.ts";
import type { EventSource } from "../ledger/event-source.ts";
import { LedgerReader } from "../ledger/ledger-reader.ts";
import type { Season, Ties } from "../program/program.ts";
import type { DatedRules } from "../program/rule-set.ts";
import type { PointsDatabase } from "../storage/source.ts";
import { type BlockSink, BlockWriter } from "./block-writer.ts";
import { deleteWithdrawn } from "./delete-withdrawn.ts";
import { SnapshotBuild } from "./snapshot-build.ts";
import { draftSnapshot } from "./snapshot-draft.ts";
import type { SnapshotInfo } from "./snapshot-info.ts";
import { snapshotName } from "./snapshot-name.ts";
import { writeRankings } from "./write-rankings.ts";

const defaultEventsPerBase = 250_000;

export interface SnapshotOptions {
  readonly signal: AbortSignal;
  /** Unix seconds. @default now */
  readonly time?: number;
  /** A new base is written after this many events: reading them takes as long as writing one. @default 250000 */
  readonly eventsPerBase?: number;
  /** @default writes each block before the next one is made */
  readonly sink?: BlockSink;
  /** @default reads each page before the next one */
  readonly source?: EventSource;
  /** Null: all time. @default null */
  readonly season?: Season | null;
  /** For how many days the day's last snapshot is kept. @default 0 */
  readonly historyDays?: number;
  /** @default "order" */
  readonly ties?: Ties | undefined;
}

/**
 * Builds a snapshot beside the newest one, and then replaces it. Killed at any moment, it is either published or
 * never seen.
 * @throws SnapshotSupersededError StoreUnavailableError, the signal's reason
 */
export async function buildSnapshot(
  database: PointsDatabase,
  history: readonly DatedRules[],
  options: SnapshotOptions,
): Promise<SnapshotInfo> {
  const { signal, time = Math.floor(Date.now() / 1000) } = options;
  const ledger = new LedgerReader(database);
  const { eventsPerBase = defaultEventsPerBase, sink = new BlockWriter(database) } = options;
  const { source = ledger, season = null, historyDays = 0, ties = "order" } = options;
  const span = season === null ? allTimes : spanOf(season);
  const rules = compileRules(history, span);
  const plan = { time, season: season?.name ?? "", rules: rules.text };
  const build = await SnapshotBuild.begin(database, sink, plan, signal);
  await deleteWithdrawn(database, signal);

  // The snapshot of a season that has ended is as of its end.
  const asOf = Math.min(time, span.end);
  const newBase = { time: asOf - windowSeconds, seq: build.seq, rules: rules.text };
  const base = isUsable(build.base, newBase) ? build.base : null;
  const writesBase = base === null || build.seq - base.seq > eventsPerBase;
  const domains = await build.readDomains();
  const draft = draftSnapshot(
    await accrue({
      ...{ source, streams: await ledger.streams(), rules, signal },
      ...{ time: asOf, seq: build.seq, base, storage: build, writesBase },
      expected: build.expectedSize,
    }),
    rules.swaps,
    domains,
  );
  const counts = await writeRankings(build, draft, ties === "shared");
  await build.publish(counts, writesBase ? newBase : null, historyDays);
  await deleteWithdrawn(database, signal);
  const { standingBlocks: _, ...totalItems } = counts;
  return { id: snapshotName(build), time, totalItems };
}

/** After a clock was set back, a base can be from the future. */
function isUsable(base: Base | null, { time, rules }: Omit<Base, "id">): boolean {
  return base !== null && base.time <= time && base.rules === rules;
}
