import { median } from "../statistics.ts";
import { textTable } from "../terminal/text-table.ts";
import type { MatchingRecord } from "./matching.ts";
import type { RoutingRound } from "./routing-round.ts";

export interface RoundRecord extends RoutingRound {
  readonly row: string;
  readonly repetition: number;
}

type Figure = "requests_per_second" | "p50_ms" | "p99_ms" | "cpu_us_per_request" | "busy";

export function serverTable(rounds: readonly RoundRecord[]): string {
  const rows = [...new Set(rounds.map(({ row }) => row))].sort();
  const figure = (name: Figure, row: string, digits: number): string =>
    median(rounds.filter((round) => round.row === row).map((round) => round[name])).toFixed(digits);
  const lines = rows.map((row) => [
    row,
    figure("requests_per_second", row, 0),
    figure("p50_ms", row, 2),
    figure("p99_ms", row, 2),
    figure("cpu_us_per_request", row, 1),
    figure("busy", row, 2),
    speedRatio(rounds, row, "bare").toFixed(2),
    speedRatio(rounds, row, "express").toFixed(2),
  ]);
  const header = [
    "server",
    "requests/s",
    "p50 ms",
    "p99 ms",
    "CPU µs/request",
    "cores busy",
    "speed / bare",
    "speed / express",
  ];
  return textTable(header, lines);
}

export function matchingTable(records: readonly MatchingRecord[]): string {
  const rows = [...new Set(records.map(({ row }) => row))].sort();
  const nanoseconds = (row: string, paths: string): string =>
    median(
      records
        .filter((record) => record.row === row && record.paths === paths)
        .map((record) => record.nanoseconds),
    ).toFixed(0);
  const lines = rows.map((row) => [row, nanoseconds(row, "hits"), nanoseconds(row, "misses")]);
  return textTable(["matching alone", "ns a hit", "ns a miss"], lines);
}

/** The median over repetitions of a server's speed divided by the other's in the same repetition. */
export function speedRatio(rounds: readonly RoundRecord[], row: string, other: string): number {
  const speeds = (name: string): ReadonlyMap<number, number> =>
    new Map(
      rounds
        .filter((round) => round.row === name)
        .map((round) => [round.repetition, round.requests_per_second]),
    );
  return medianRatio(speeds(row), speeds(other));
}

/** How many times the router's time find-my-way takes: median of the ratios within one round. */
export function matchingRatio(records: readonly MatchingRecord[], paths: string): number {
  const times = (row: string): ReadonlyMap<number, number> =>
    new Map(
      records
        .filter((record) => record.row === row && record.paths === paths)
        .map((record) => [record.round, record.nanoseconds]),
    );
  return medianRatio(times("find-my-way"), times("router"));
}

function medianRatio(
  above: ReadonlyMap<number, number>,
  below: ReadonlyMap<number, number>,
): number {
  return median([...above].map(([round, value]) => value / (below.get(round) ?? Number.NaN)));
}
