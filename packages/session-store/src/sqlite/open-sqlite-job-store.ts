import type { JobStore } from "../job-store.ts";
import { databaseFile, makeFolder } from "./database-file.ts";
import type { JobCalls, JobData } from "./job-calls.ts";
import { LastingThread } from "./lasting-thread.ts";
import type { StopFlag } from "./lock-wait.ts";
import type { SqliteStoreOptions } from "./open-sqlite-store.ts";
import type { ReaderCalls } from "./reader-calls.ts";
import { SqliteJobStore } from "./sqlite-job-store.ts";

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
    return new SqliteJobStore({ storage_id, jobs, reader, busyTimeoutMs, closeTimeoutMs });
  } catch (error) {
    await Promise.all([jobs.close(closeTimeoutMs), reader.close(closeTimeoutMs)]);
    throw error;
  }
}
