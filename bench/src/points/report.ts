import { verdict } from "../terminal/progress.ts";
import { textTable } from "../terminal/text-table.ts";
import type { PointsRecords } from "./points-bench.ts";

/** Work that was done once, and its amount. */
export interface JobRecord {
  readonly seconds: number;
  readonly count: number;
  /** Peak memory of the whole process. */
  readonly peak_mb: number;
}

export interface PointsRequirement {
  readonly what: string;
  readonly bound: string;
  readonly measured: number;
  readonly passed: boolean;
}

export function reportPoints(records: PointsRecords): {
  readonly text: string;
  readonly requirements: readonly PointsRequirement[];
} {
  const requirements = requirementsOf(records);
  const rows = requirements.map(({ what, bound, measured, passed }) => [
    ...[what, bound, measured.toFixed(measured < 100 ? 2 : 0), verdict(passed)],
  ]);
  const bounds = textTable(["figure", "bound", "measured", "verdict"], rows);
  return { text: `\n${jobTable(records)}\n\n${roundTable(records)}\n\n${bounds}`, requirements };
}

function requirementsOf({ imported, snapshots, rounds }: PointsRecords): PointsRequirement[] {
  const during = rounds["during a snapshot"];
  const most = (figure: "seconds" | "peak_mb"): number =>
    Math.max(...snapshots.map((snapshot) => snapshot[figure]));
  const errors = Object.values(rounds).reduce((sum, round) => sum + round.errors, 0);
  const atLeast = (what: string, bound: number, measured: number): PointsRequirement => ({
    ...{ what, bound: `>= ${bound}`, measured, passed: measured >= bound },
  });
  const below = (what: string, bound: number, measured: number): PointsRequirement => ({
    ...{ what, bound: `< ${bound}`, measured, passed: measured < bound },
  });
  return [
    atLeast("import into SQLite, events/s", 50_000, imported.count / imported.seconds),
    below("a snapshot, s", 10, most("seconds")),
    below("peak memory during a snapshot, MB", 1000, most("peak_mb")),
    below("user and page of 100 during a snapshot, p99 ms", 5, during.p99_ms),
    below("wrong answers", 1, errors),
  ];
}

function jobTable({ imported, snapshots }: PointsRecords): string {
  const names = ["import", "snapshot from all events", "snapshot from a base"];
  const rows = [imported, ...snapshots].map(({ seconds, count, peak_mb }, index) => [
    ...[names[index] ?? "", String(count), seconds.toFixed(1), peak_mb.toFixed(0)],
  ]);
  return textTable(["job", "events or addresses", "s", "peak MB"], rows);
}

function roundTable({ rounds }: PointsRecords): string {
  const rows = Object.entries(rounds).map(([name, round]) => [
    name,
    round.requests_per_second.toFixed(0),
    round.p50_ms.toFixed(2),
    round.p99_ms.toFixed(2),
    round.longest_ms.toFixed(1),
    round.busy.toFixed(2),
  ]);
  const header = ["user and page of 100, 32 connections", "requests/s", "p50 ms", "p99 ms"];
  return textTable([...header, "longest ms", "cores busy"], rows);
}
