import { monotonicMs } from "@proj/database";
import { databaseFile, requireDatabaseFile } from "@proj/database/sqlite";
import { openReaderThread } from "@proj/database/threads";
import type { JobReader } from "../job-reader.ts";
import * as browseReads from "../queries/browse/browse-reads.ts";
import * as jobReads from "../queries/jobs/job-reads.ts";
import { callsOf } from "../queries/query-calls.ts";
import type { BrowseCalls, JobReadCalls } from "../queries/read-calls.ts";
import type { SqliteStoreOptions } from "./open-sqlite-store.ts";
import type { ReaderCalls } from "./reader-calls.ts";

const readTimeoutMs = 10_000;

/**
 * Opens an existing database and changes nothing in it.
 * @throws TypeError `db_url` names no file
 * @throws StoreSchemaError its schema is newer than this program
 * @throws StoreUnavailableError also if there is no such file
 */
export async function openSqliteJobReader({
  db_url,
  closeTimeoutMs = 10_000,
}: Pick<SqliteStoreOptions, "db_url" | "closeTimeoutMs">): Promise<JobReader> {
  const file = databaseFile(db_url);
  requireDatabaseFile(file);
  const thread = openReaderThread<ReaderCalls>(
    file,
    import.meta.resolve("@proj/session-store/sqlite-reader-worker"),
  );
  const options = () => ({ deadline: monotonicMs() + readTimeoutMs });
  const close = () => thread.close(closeTimeoutMs);
  try {
    return {
      storage_type: "sqlite",
      storage_id: await thread.call("open", null, options()),
      ...callsOf<JobReadCalls>(jobReads, (name, request) => thread.call(name, request, options())),
      readSteps: (query) => thread.call("readSteps", query, options()),
      browser: callsOf<BrowseCalls>(browseReads, (name, request) =>
        thread.call(name, request, options()),
      ),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
