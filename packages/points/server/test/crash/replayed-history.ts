/**
 * A process that can be killed at any step of a history and continues at its cursor. The history gives the times of
 * the snapshots, so that a test can compute them from scratch.
 */
import { readFile } from "node:fs/promises";
import type { PointsEvent, Program } from "@proj/points-server";
import { readCursor } from "../../src/ledger/cursor.ts";
import { EventLog } from "../../src/ledger/event-log.ts";
import { buildSnapshots } from "../../src/snapshots/build-snapshots.ts";
import { openForWriting } from "../../src/storage/open-database.ts";

/** Events that arrive together, or a snapshot. */
export type HistoryStep =
  | { readonly events: readonly PointsEvent[] }
  | { readonly program: Program; readonly time: number; readonly eventsPerBase: number };

const [db_url = "", file = ""] = process.argv.slice(2);
const steps: readonly HistoryStep[] = JSON.parse(await readFile(file, "utf8"));
const database = await openForWriting({ db_url, synchronous: "normal" });
const log = new EventLog(database);
const { signal } = new AbortController();

const name = "replay";
let previous = await readCursor(database, name);
for (let index = Number(previous ?? 0); index < steps.length; index += 1) {
  console.log(`step ${index}`);
  const step = steps[index] ?? { events: [] };
  if (!("events" in step)) {
    const { program, ...options } = step;
    await buildSnapshots(database, program, { signal, ...options });
  }
  const value = String(index + 1);
  await log.append("events" in step ? step.events : [], { name, value, previous });
  previous = value;
}
console.log("done");
await database.close();
