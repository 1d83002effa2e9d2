import { parentPort, workerData } from "node:worker_threads";
import { migrateStore } from "../storage/migrate-store.ts";
import { openForWriting, type WriterTuning } from "../storage/open-database.ts";
import { callHandlers } from "./call-handlers.ts";
import { serveCalls } from "./serve-calls.ts";
import type { ThreadData } from "./thread-calls.ts";

const { role, ...data }: ThreadData = workerData;
const { storage } = data;

const tuning: Partial<Record<ThreadData["role"], WriterTuning>> = {
  // An import changes pages all over the index of event ids.
  import: { cacheMb: 64 },
  // A snapshot changes no page twice, and its two threads wait for each other.
  snapshot: { checkpointMb: 8 },
  "snapshot storage": { checkpointMb: 8 },
};

if (parentPort === null) throw new Error("This module is the entry of a worker thread.");

serveCalls(parentPort, async () => {
  // A snapshot lost in a power failure is simply built again.
  const isOfSnapshot = role === "snapshot" || role === "snapshot storage";
  const synchronous = isOfSnapshot ? "normal" : storage.synchronous;
  const database = await openForWriting({ ...storage, synchronous }, tuning[role]);
  if (role === "ledger") await migrateStore(database);
  return { database, handlers: callHandlers(database, data) };
});
