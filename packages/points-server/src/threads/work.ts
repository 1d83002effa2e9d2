import { parentPort, workerData } from "node:worker_threads";
import { migrateStore } from "../storage/migrate-store.ts";
import { openForWriting, type WriterTuning } from "../storage/open-database.ts";
import { callHandlers } from "./call-handlers.ts";
import { serveCalls } from "./serve-calls.ts";
import type { ThreadData } from "./thread-calls.ts";

const { role, ...data }: ThreadData = workerData;
const { storage } = data;

const tuning: Partial<Record<ThreadData["role"], WriterTuning>> = {
  // It changes the index of the events' ids everywhere.
  import: { cacheMb: 64 },
  // They change nothing twice, and the one waits for the other.
  snapshot: { checkpointMb: 8 },
  "snapshot storage": { checkpointMb: 8 },
};

if (parentPort === null) throw new Error("This module is the entry of a worker thread.");

serveCalls(parentPort, async () => {
  // A snapshot that a loss of power takes away is built again.
  const isOfSnapshot = role === "snapshot" || role === "snapshot storage";
  const synchronous = isOfSnapshot ? "normal" : storage.synchronous;
  const database = await openForWriting({ ...storage, synchronous }, tuning[role]);
  if (role === "ledger") await migrateStore(database);
  return { database, handlers: callHandlers(database, data) };
});
