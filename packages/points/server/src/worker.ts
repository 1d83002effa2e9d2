import { setPriority } from "node:os";
import { workerData } from "node:worker_threads";
import type { ThreadData } from "./threads/thread-calls.ts";

const { role, jobNiceness }: ThreadData = workerData;
// Only Linux has a priority per thread: elsewhere this would change the whole process.
if (role !== "ledger" && process.platform === "linux") setPriority(jobNiceness);

// Loaded after the priority is set: reading and compiling the code of a job occupies a core for a tenth of a second.
await import("./threads/work.ts");
