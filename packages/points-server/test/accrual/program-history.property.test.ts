import { rankings } from "@proj/points-protocol";
import type { Program } from "@proj/points-server";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildSnapshots } from "../../src/snapshots/build-snapshots.ts";
import { openLedger } from "../storage/open-ledger.ts";
import { readRanking } from "../storage/read-rankings.ts";
import { databases } from "../storage/temporary-storage.ts";
import { arbitraryEvents, arbitraryProgram, end } from "./arbitrary-history.ts";
import { type DatedProgram, naiveRankings } from "./naive-rankings.ts";

const runs = { sqlite: 30, postgres: 4 };
const { signal } = new AbortController();

const seasons = [
  { name: "first", startTimestamp: String(end / 8), endTimestamp: String(end / 2) },
  { name: "second", startTimestamp: String(end / 2) },
];

/** Programs that follow each other, each from a time on; what points are scaled by cannot change. */
const changing: fc.Arbitrary<DatedProgram[]> = fc
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
      program: { ...program, pointsDecimal: first.pointsDecimal, seasons },
    }));
  });

/** Two programs in a row that say the same are one. */
const merged = (history: readonly DatedProgram[]): DatedProgram[] =>
  history.filter(
    ({ program }, index) => JSON.stringify(program) !== JSON.stringify(history[index - 1]?.program),
  );

describe.each(databases)("on %s", (database) => {
  test("a program that changes leaves what was earned before, in all rankings and in those of seasons", async () => {
    const history = fc.tuple(
      ...([
        arbitraryEvents,
        changing,
        fc.nat(60),
        fc.nat(20),
        fc.integer({ min: 0, max: end }),
      ] as const),
    );
    const property = fc.asyncProperty(history, async ([events, programs, late, perBase, after]) => {
      await using ledger = await openLedger(database);
      await ledger.append(events.slice(late));
      const build = (program: Program, time: number) =>
        buildSnapshots(ledger.database, program, { signal, time, eventsPerBase: perBase });
      for (const { from, program } of programs) await build(program, from);
      await ledger.append(events);
      const last = programs.at(-1);
      if (last === undefined) return;
      const time = last.from + after;
      await build(last.program, time);
      for (const ranking of rankings) {
        const expected = naiveRankings(events, merged(programs), time);
        expect(await readRanking(ledger.reader, ranking)).toEqual(expected[ranking]);
      }
      for (const { name, startTimestamp, endTimestamp = Infinity } of seasons) {
        const span = { start: Number(startTimestamp), end: Number(endTimestamp) };
        if (time < span.start) continue;
        const asOf = Math.min(time, span.end);
        const expected = naiveRankings(events, merged(programs), asOf, span);
        for (const ranking of rankings)
          expect(await readRanking(ledger.reader, ranking, name)).toEqual(expected[ranking]);
      }
    });
    await fc.assert(property, { numRuns: runs[database], endOnFailure: database === "postgres" });
  });
});
