import type { PathsResult } from "../load/load-protocol.ts";
import { median } from "../statistics.ts";
import { textTable } from "../terminal/text-table.ts";
import type { MatchingRecord } from "./matching.ts";

export interface RoundRecord extends PathsResult {
  readonly row: string;
  readonly repetition: number;
}

type Figure = "requests_per_second" | "p50_ms" | "p99_ms" | "cpu_us_per_request" | "busy";

/** The share of a core that a server must have had: with less, something else used the core or the load was too small. */
const LEAST_BUSY = 0.9;

/** The rounds that measured the server's own speed. */
export function undisturbed(rounds: readonly RoundRecord[]): readonly RoundRecord[] {
  return rounds.filter(({ busy }) => busy >= LEAST_BUSY);
}

export function serverTable(rounds: readonly RoundRecord[]): string {
  const rows = [...new Set(rounds.map(({ row }) => row))].sort();
  const lines = rows.map((row) => {
    const own = rounds.filter((round) => round.row === row);
    const figure = (name: Figure, digits: number): string =>
      median(own.map((round) => round[name])).toFixed(digits);
    return [
      row,
      String(own.length),
      figure("requests_per_second", 0),
      figure("p50_ms", 2),
      figure("p99_ms", 2),
      figure("cpu_us_per_request", 1),
      figure("busy", 2),
      median(speedRatios(rounds, row, "bare")).toFixed(2),
      median(speedRatios(rounds, row, "express")).toFixed(2),
    ];
  });
  const header = [
    "server",
    "rounds",
    "requests/s",
    "p50 ms",
    "p99 ms",
    "CPU µs/request",
    "core busy",
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

/** A server's speed divided by another's in the same repetition, for each repetition that has both. */
export function speedRatios(
  rounds: readonly RoundRecord[],
  row: string,
  other: string,
): readonly number[] {
  return rounds.flatMap((round) => {
    const paired = rounds.find((one) => one.row === other && one.repetition === round.repetition);
    if (round.row !== row || paired === undefined) return [];
    return [round.requests_per_second / paired.requests_per_second];
  });
}

/** find-my-way's time divided by the router's, round by round. */
export function matchingRatios(
  records: readonly MatchingRecord[],
  paths: string,
): readonly number[] {
  const of = (row: string): readonly MatchingRecord[] =>
    records.filter((record) => record.row === row && record.paths === paths);
  const routers = of("router");
  return of("find-my-way").flatMap(({ round, nanoseconds }) => {
    const paired = routers.find((record) => record.round === round);
    return paired === undefined ? [] : [nanoseconds / paired.nanoseconds];
  });
}
