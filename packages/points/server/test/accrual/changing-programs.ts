import { rankingNames } from "@proj/points-client/wire";
import type { PointsEvent } from "@proj/points-server";
import fc from "fast-check";
import { expect } from "vitest";
import type { SnapshotReader } from "../../src/snapshots/snapshot-reader.ts";
import { readRanking } from "../storage/read-rankings.ts";
import { arbitraryProgram, end } from "./arbitrary-history.ts";
import { type DatedProgram, naiveRankings } from "./naive-rankings.ts";

const seasons = [
  { name: "first", startTimestamp: String(end / 8), endTimestamp: String(end / 2) },
  { name: "second", startTimestamp: String(end / 2) },
];

/** Programs with their starting times; the scale of points cannot change. */
export const changingPrograms: fc.Arbitrary<DatedProgram[]> = fc
  .tuple(
    arbitraryProgram,
    fc.array(fc.tuple(fc.integer({ min: 1, max: end }), arbitraryProgram), { maxLength: 3 }),
  )
  .map(([first, others]) => {
    const dated = new Map(others.map(([from, program]) => [from, program]));
    const following = [...dated].sort(([a], [b]) => a - b);
    return [
      { from: 0, program: first },
      ...following.map(([from, program]) => ({ from, program })),
    ].map(({ from, program }) => ({
      from,
      program: {
        ...{ ...program, pointsDecimal: first.pointsDecimal, seasons },
        // The ranking of a season that has ended keeps its ties.
        ranking: first.ranking ?? {},
      },
    }));
  });

/** Compares all published rankings, all-time and by season, with ones computed from scratch. */
export async function expectNaiveRankings(
  reader: SnapshotReader,
  events: readonly PointsEvent[],
  programs: readonly DatedProgram[],
  time: number,
): Promise<void> {
  const history = merged(programs);
  const all = naiveRankings(events, history, time);
  for (const ranking of rankingNames)
    expect(await readRanking(reader, ranking)).toEqual(all[ranking]);
  for (const { name, startTimestamp, endTimestamp = Infinity } of seasons) {
    const span = { start: Number(startTimestamp), end: Number(endTimestamp) };
    if (time < span.start) continue;
    const own = naiveRankings(events, history, Math.min(time, span.end), span);
    for (const ranking of rankingNames)
      expect(await readRanking(reader, ranking, name)).toEqual(own[ranking]);
  }
}

/** Two equal programs in a row count as one. */
const merged = (history: readonly DatedProgram[]): DatedProgram[] =>
  history.filter(
    ({ program }, index) => JSON.stringify(program) !== JSON.stringify(history[index - 1]?.program),
  );
