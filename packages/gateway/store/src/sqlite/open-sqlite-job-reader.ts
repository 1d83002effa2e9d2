import { monotonicMs } from "@proj/database";
import { databaseFile, requireDatabaseFile } from "@proj/database/sqlite";
import { openReaderThread } from "@proj/database/threads";
import type { JobReader } from "../job-reader.ts";
import { JobReaderOfCalls } from "../job-reader-of-calls.ts";
import { browserOfCalls } from "../queries/browse/browse-calls.ts";
import type { SqliteStoreOptions } from "./open-sqlite-store.ts";
import type { ReaderCalls } from "./reader-calls.ts";

const readTimeoutMs = 10_000;

/**
 * Opens an existing database and changes nothing in it.
 * @throws TypeError `db_url` names no file
 * @throws StoreSchemaError its schema is newer or much older than this program
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
    const reads = new JobReaderOfCalls({
      storage_type: "sqlite",
      storage_id: await thread.call("open", null, options()),
      call: (name, request) => thread.call(name, request, options()),
      readSteps: (query) => thread.call("readSteps", query, options()),
      close,
    });
    const browser = browserOfCalls((name, request) => thread.call(name, request, options()));
    return Object.assign(reads, { browser });
  } catch (error) {
    await close();
    throw error;
  }
}
