import { setPriority } from "node:os";
import { workerData } from "node:worker_threads";
import type { ThreadData } from "./threads/thread-calls.ts";

/** Of those that `nice` gives: a thirtieth of a core that others use up, and all of one that is idle. */
const jobPriority = 15;

const { role }: ThreadData = workerData;
// Only Linux has priorities of threads: elsewhere it would be that of the whole process.
if (role !== "ledger" && process.platform === "linux") setPriority(jobPriority);

// Not before: to read and compile all that a job needs takes a core for a tenth of a second.
await import("./threads/work.ts");
