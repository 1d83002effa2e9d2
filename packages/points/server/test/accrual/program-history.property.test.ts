import type { Program } from "@proj/points-server";
import fc from "fast-check";
import { describe, test } from "vitest";
import { buildSnapshots } from "../../src/snapshots/build-snapshots.ts";
import { openLedger } from "../storage/open-ledger.ts";
import { databases } from "../storage/temporary-storage.ts";
import { arbitraryEvents, end } from "./arbitrary-history.ts";
import { changingPrograms, expectNaiveRankings } from "./changing-programs.ts";

const runs = { sqlite: 30, postgres: 4 };
const { signal } = new AbortController();

describe.each(databases)("on %s", (database) => {
  test("changing the program keeps what was earned before, in all rankings and those of seasons", async () => {
    const history = fc.tuple(
      ...([
        arbitraryEvents,
        changingPrograms,
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
      await expectNaiveRankings(ledger.reader, events, programs, time);
    });
    await fc.assert(property, { numRuns: runs[database], endOnFailure: database === "postgres" });
  }, 120_000);
});
