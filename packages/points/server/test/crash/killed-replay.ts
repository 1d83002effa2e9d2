import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PointsEvent } from "@proj/points-server";
import { startBundled, temporaryFolder } from "@proj/test-kit";
import { expect } from "vitest";
import { SnapshotReader } from "../../src/snapshots/snapshot-reader.ts";
import { migrateStore } from "../../src/storage/migrate-store.ts";
import { openForWriting } from "../../src/storage/open-database.ts";
import { expectNaiveRankings } from "../accrual/changing-programs.ts";
import type { DatedProgram } from "../accrual/naive-rankings.ts";
import { type DatabaseName, temporaryStorage } from "../storage/temporary-storage.ts";
import type { HistoryStep } from "./replayed-history.ts";

const script = fileURLToPath(new URL("replayed-history.ts", import.meta.url));

export interface History {
  readonly events: readonly PointsEvent[];
  /** The same events as they arrive. */
  readonly order: readonly PointsEvent[];
  readonly programs: readonly DatedProgram[];
  /** Events that arrive together. */
  readonly batch: number;
  readonly eventsPerBase: number;
  /** Seconds between the last program's start and the last snapshot. */
  readonly after: number;
  /** Where the process is killed, in thousandths of the history. */
  readonly kills: readonly number[];
}

/** The last snapshot is built after all events. */
function stepsOf({ order, programs, batch, eventsPerBase, after }: History): HistoryStep[] {
  const batches: HistoryStep[] = [];
  for (let first = 0; first < order.length; first += batch)
    batches.push({ events: order.slice(first, first + batch) });
  const snapshots = programs.map(({ program, from }) => ({ program, time: from, eventsPerBase }));
  const every = Math.ceil(batches.length / snapshots.length);
  const steps = snapshots.flatMap((snapshot, index) => [
    ...batches.slice(index * every, (index + 1) * every),
    snapshot,
  ]);
  const last = snapshots.at(-1);
  return last === undefined ? steps : [...steps, { ...last, time: last.time + after }];
}

/** Replays a history in processes that are killed, and compares what is published with a computation from scratch. */
export async function replayKilled(database: DatabaseName, history: History): Promise<void> {
  await using storage = await temporaryStorage(database);
  await using folder = await temporaryFolder();
  const file = join(folder.path, "history.json");
  const steps = stepsOf(history);
  await writeFile(file, JSON.stringify(steps));
  const opened = await openForWriting({ db_url: storage.db_url, synchronous: "normal" });
  try {
    await migrateStore(opened);
    for (const kill of history.kills.toSorted((a, b) => a - b)) {
      await using replaying = startBundled(script, [storage.db_url, file]);
      const step = Math.floor((kill * steps.length) / 1000);
      // The last life may have stored more before it was killed.
      await replaying.line(
        new RegExp(`^(?:step (?:${atLeast(step, steps.length)})|done)$`),
        60_000,
      );
      replaying.kill("SIGKILL");
      await replaying.exit(60_000);
      expect(replaying.stderr).toBe("");
    }
    await using whole = startBundled(script, [storage.db_url, file]);
    expect(await whole.exit(60_000), whole.output).toMatchObject({ code: 0 });
    const { events, programs, after } = history;
    const time = (programs.at(-1)?.from ?? 0) + after;
    await expectNaiveRankings(new SnapshotReader(opened), events, programs, time);
  } finally {
    await opened.close();
  }
}

const atLeast = (step: number, end: number): string =>
  Array.from({ length: end - step }, (_, index) => step + index).join("|");
