import { monotonicMs } from "@proj/database";
import { databaseFile, makeDatabaseFile, requireDatabaseFile } from "@proj/database/sqlite";
import { FileThreads } from "@proj/database/threads";
import type { JobStore } from "../job-store.ts";
import { jobStoreOfCalls } from "../job-store-of-calls.ts";
import type { JobCalls } from "../queries/jobs/job-calls.ts";
import type { SqliteJobStoreOptions } from "./open-sqlite-store.ts";
import type { ReaderCalls } from "./reader-calls.ts";

const readStepsTimeoutMs = 10_000;

/**
 * Opens the database for a launcher, creates it if it is missing (unless told not to), and updates its schema.
 * @throws TypeError `db_url` names no file
 * @throws StoreSchemaError the schema is newer than this program
 * @throws StoreUnavailableError
 */
export async function openSqliteJobStore(options: SqliteJobStoreOptions): Promise<JobStore> {
  const { synchronous = "full", busyTimeoutMs = 30_000, closeTimeoutMs = 10_000 } = options;
  const file = databaseFile(options.db_url);
  if (options.create ?? true) makeDatabaseFile(file);
  else requireDatabaseFile(file);
  const threads = new FileThreads<JobCalls, ReaderCalls>({
    file,
    writer: import.meta.resolve("@proj/session-store/sqlite-job-worker"),
    reader: import.meta.resolve("@proj/session-store/sqlite-reader-worker"),
    writerData: () => ({ synchronous, busyTimeoutMs }),
  });
  const within = (milliseconds: number) => ({ deadline: monotonicMs() + milliseconds });
  try {
    const storage_id = await threads.start();
    return jobStoreOfCalls({
      storage_type: "sqlite",
      storage_id,
      // All calls have the same time: they wait for each other, and one that waits for the lock may use all of it.
      call: (name, request) => threads.writer.call(name, request, within(busyTimeoutMs)),
      // Pages of steps may be large, so they have their own thread.
      readSteps: (query) => threads.reader.call("readSteps", query, within(readStepsTimeoutMs)),
      close: () => threads.close(closeTimeoutMs),
    });
  } catch (error) {
    await threads.close(closeTimeoutMs);
    throw error;
  }
}
