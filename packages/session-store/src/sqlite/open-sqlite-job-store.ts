import type { JobStore } from "../job-store.ts";
import { JobStoreOfCalls } from "../job-store-of-calls.ts";
import type { JobCalls } from "../queries/jobs/job-calls.ts";
import { databaseFile, makeFolder } from "./database-file.ts";
import type { JobData } from "./job-data.ts";
import { LastingThread } from "./lasting-thread.ts";
import type { StopFlag } from "./lock-wait.ts";
import type { SqliteStoreOptions } from "./open-sqlite-store.ts";
import type { ReaderCalls } from "./reader-calls.ts";

const readStepsTimeoutMs = 10_000;

/**
 * Opens the database for a launcher, makes it where there is none, and brings its schema up to date.
 * @throws TypeError `db_url` names no file
 * @throws StoreSchemaError the schema is newer than this program
 * @throws StoreUnavailableError
 */
export async function openSqliteJobStore(options: SqliteStoreOptions): Promise<JobStore> {
  const { synchronous = "full", busyTimeoutMs = 30_000, closeTimeoutMs = 10_000 } = options;
  const file = databaseFile(options.db_url);
  await makeFolder(file);
  const stop: StopFlag = new Int32Array(new SharedArrayBuffer(4));
  const data: JobData = { file, stop, synchronous, busyTimeoutMs };

  const jobs = new LastingThread<JobCalls>({
    name: "storage writer",
    entry: "@proj/session-store/sqlite-job-worker",
    data,
  });
  const reader = new LastingThread<ReaderCalls>({
    name: "storage reader",
    entry: "@proj/session-store/sqlite-reader-worker",
    data,
  });
  try {
    const storage_id = String(await jobs.ready);
    return new JobStoreOfCalls({
      storage_type: "sqlite",
      storage_id,
      // One time for all calls: they wait for each other, and one that waits for the lock may take it all.
      call: (name, request) => jobs.call(name, request, { deadline: Date.now() + busyTimeoutMs }),
      // A thread of its own for pages of steps, which may be large.
      readSteps: (query) =>
        reader.call("readSteps", query, { deadline: Date.now() + readStepsTimeoutMs }),
      async close() {
        await reader.close(closeTimeoutMs);
        await jobs.close(closeTimeoutMs);
      },
    });
  } catch (error) {
    await Promise.all([jobs.close(closeTimeoutMs), reader.close(closeTimeoutMs)]);
    throw error;
  }
}
