import { rankingNames } from "@proj/points-client/wire";
import type { PointsEvent, Program } from "@proj/points-server";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type OpenLedger, openLedger } from "../storage/open-ledger.ts";
import { readRanking } from "../storage/read-rankings.ts";
import { databases } from "../storage/temporary-storage.ts";
import {
  arbitraryEvents,
  arbitraryProgram,
  arbitrarySnapshotTime,
  arbitrarySteps,
  type Step,
} from "./arbitrary-history.ts";
import { naiveRankings } from "./naive-rankings.ts";

const runs = { sqlite: 60, postgres: 8 };

/** Every event arrives at least once, in the given order, between snapshots with any rules. */
async function live(
  ledger: OpenLedger,
  events: readonly PointsEvent[],
  program: Program,
  steps: readonly Step[],
): Promise<void> {
  let arrived = 0;
  let rules = program;
  for (const step of steps) {
    if (step.kind === "rules") rules = step.program ?? program;
    else if (step.kind === "snapshot") await ledger.snapshot(rules, step);
    else {
      const again = step.picks.flatMap((pick) =>
        events.slice(pick % (arrived || 1)).slice(0, arrived && 1),
      );
      await ledger.append([...again, ...events.slice(arrived, arrived + step.count)]);
      arrived = Math.min(events.length, arrived + step.count);
    }
  }
  await ledger.append(events.slice(arrived));
}

describe.each(databases)("on %s", (database) => {
  test("points are the same as computed from scratch, for any order, repetition and interleaving", async () => {
    const history = arbitraryEvents.chain((events) =>
      fc.tuple(
        fc.constant(events),
        fc.shuffledSubarray(events, { minLength: events.length }),
        arbitraryProgram,
        arbitrarySteps,
        fc.nat(20),
        arbitrarySnapshotTime,
      ),
    );
    const property = fc.asyncProperty(
      history,
      async ([events, order, program, steps, perBase, time]) => {
        await using ledger = await openLedger(database);
        await live(ledger, order, program, steps);
        await ledger.snapshot(program, { time, eventsPerBase: perBase });
        const expected = naiveRankings(events, [{ from: 0, program }], time);
        for (const ranking of rankingNames) {
          expect(await readRanking(ledger.reader, ranking)).toEqual(expected[ranking]);
        }
      },
    );
    await fc.assert(property, { numRuns: runs[database], endOnFailure: database === "postgres" });
  });
});
