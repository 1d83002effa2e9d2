import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { migrate } from "./storage/migrate.ts";
import { openForWriting } from "./storage/open-database.ts";
import { callHandlers } from "./threads/call-handlers.ts";
import { serveCalls } from "./threads/serve-calls.ts";
import type { ThreadData } from "./threads/thread-calls.ts";

/** Of those that `nice` gives; what serves has 0. */
const jobPriority = 10;

const { storage, program, role }: ThreadData = workerData;
if (parentPort === null) throw new Error("This module is the entry of a worker thread.");

// Only Linux has priorities of threads: elsewhere it would be that of the whole process.
if (role !== "ledger" && process.platform === "linux") setPriority(jobPriority);

serveCalls(parentPort, async () => {
  // A snapshot that a loss of power takes away is built again.
  const synchronous = role === "snapshot" ? "normal" : storage.synchronous;
  // An import needs the whole index of the events' ids.
  const cacheMb = role === "import" ? 192 : 16;
  const database = await openForWriting({ ...storage, synchronous }, cacheMb);
  if (role === "ledger") await migrate(database);
  return { database, handlers: callHandlers(database, program) };
});
