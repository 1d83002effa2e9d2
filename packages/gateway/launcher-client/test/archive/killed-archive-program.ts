/**
 * Archives and prunes a job: `killed-archive-program.ts JOB FOLDER DATABASE READ,PRUNING`. It kills itself in that call of the
 * store to read or to prune; 0: in none.
 */
import { type JobStore, openJobStore } from "@proj/session-store";
import { archiveJob, pruneArchived } from "../../src/index.ts";
import { storageOf } from "../temporary-storage.ts";

const [job_id = "", folder = "", db_url = "", kills = ""] = process.argv.slice(2);
const opened = await openJobStore(storageOf(db_url));
const [read, pruning] = kills.split(",").map(Number);

/** The kill comes a moment after the call's beginning, in the store's work or in what follows it. */
const counted =
  <A extends readonly unknown[], R>(call: (...args: A) => R, last = 0, calls = 0) =>
  (...args: A): R => {
    calls += 1;
    if (calls === last) setTimeout(() => process.kill(process.pid, "SIGKILL"), Math.random() * 3);
    return call(...args);
  };
const store: JobStore = {
  ...opened,
  readSteps: counted((of) => opened.readSteps(of), read),
  pruneSessions: counted((of) => opened.pruneSessions(of), pruning),
};
await archiveJob(store, { job_id, address: folder });
await pruneArchived(store, { job_id, address: folder });
await opened.close();
