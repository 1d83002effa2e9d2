import { setPriority } from "node:os";
import { workerData } from "node:worker_threads";
import type { ThreadData } from "./threads/thread-calls.ts";

const { role, jobNiceness }: ThreadData = workerData;
// Only Linux gives each thread a priority: elsewhere this would change the whole process.
if (role !== "ledger" && process.platform === "linux") setPriority(jobNiceness);

// Not before: to read and compile all that a job needs takes a core for a tenth of a second.
await import("./threads/work.ts");
