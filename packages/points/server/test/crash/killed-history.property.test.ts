import fc from "fast-check";
import { describe, test } from "vitest";
import { arbitraryEvents, end, manyEvents } from "../accrual/arbitrary-history.ts";
import { changingPrograms } from "../accrual/changing-programs.ts";
import { databases } from "../storage/temporary-storage.ts";
import { type History, replayKilled } from "./killed-replay.ts";

/** Each run starts a few processes. */
const runs = { sqlite: 4, postgres: 2 };

/** Events of all types, in any order, in small batches, between snapshots by changing programs. */
const histories: fc.Arbitrary<History> = arbitraryEvents.chain((events) =>
  fc.record({
    events: fc.constant(events),
    order: fc.shuffledSubarray(events, { minLength: events.length }),
    programs: changingPrograms,
    batch: fc.integer({ min: 1, max: 5 }),
    eventsPerBase: fc.nat(20),
    after: fc.integer({ min: 0, max: end }),
    kills: fc.array(fc.nat(999), { minLength: 3, maxLength: 3 }),
  }),
);

/** With several programs, one after the other, and the whole time covered. */
function longHistory(count: number, seed: number): History {
  const events = manyEvents(count, seed);
  const programs =
    fc.sample(changingPrograms, { numRuns: 50, seed }).find(({ length }) => length === 4) ?? [];
  const kills = fc.sample(fc.nat(999), { numRuns: 6, seed });
  const order = events.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const after = end - (programs.at(-1)?.from ?? 0);
  return { events, order, programs, batch: 150, eventsPerBase: 2_000, after, kills };
}

describe.each(databases)("on %s", (database) => {
  test("a killed indexer continues at its cursor, and points are the same as computed from scratch", async () => {
    const property = fc.asyncProperty(histories, (history) => replayKilled(database, history));
    await fc.assert(property, { numRuns: runs[database], endOnFailure: true });
  }, 600_000);

  test("12,000 events through changing programs and kills give the same points as from scratch", async () => {
    await replayKilled(database, longHistory(12_000, 1));
  }, 600_000);
});
