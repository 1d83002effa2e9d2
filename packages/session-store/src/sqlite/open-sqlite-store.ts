import type { SessionStore } from "../store.ts";
import { databaseFile, makeFolder } from "./database-file.ts";
import { LastingThread } from "./lasting-thread.ts";
import type { StopFlag } from "./lock-wait.ts";
import type { ReaderCalls } from "./reader-calls.ts";
import { SqliteStore } from "./sqlite-store.ts";
import type { WriterCalls, WriterData } from "./writer-calls.ts";
import { compileWriterStatements } from "./writer-statements.ts";

export interface SqliteStoreOptions {
  /** `sqlite://<file>`; a relative file is relative to the working directory. Its folders are made. */
  readonly db_url: string;
  /** `full` survives a loss of power, `normal` a killed process. @default "full" */
  readonly synchronous?: "full" | "normal";
  /** How long to wait for a lock that another process holds, in milliseconds. @default 30000 */
  readonly busyTimeoutMs?: number;
  /**
   * How long `close` waits for what was begun, in milliseconds. What then still waits for a lock is
   * refused as unavailable. @default 10000
   */
  readonly closeTimeoutMs?: number;
}

/**
 * Opens the database, makes it where there is none, and brings its schema up to date.
 * @throws TypeError `db_url` names no file
 * @throws StoreSchemaError the schema is newer than this program
 * @throws StoreUnavailableError
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SessionStore> {
  const { synchronous = "full", busyTimeoutMs = 30_000, closeTimeoutMs = 10_000 } = options;
  const file = databaseFile(options.db_url);
  await makeFolder(file);
  const stop: StopFlag = new Int32Array(new SharedArrayBuffer(4));
  const statements = compileWriterStatements();
  const data: WriterData = { file, stop, synchronous, busyTimeoutMs, statements };

  const writer = new LastingThread<WriterCalls>({
    name: "storage writer",
    entry: "@proj/session-store/sqlite-writer-worker",
    data,
  });
  const reader = new LastingThread<ReaderCalls>({
    name: "storage reader",
    entry: "@proj/session-store/sqlite-reader-worker",
    data,
  });
  try {
    // The reader takes longer to load, and is not needed for what can fail here.
    const storage_id = String(await writer.ready);
    return new SqliteStore({ storage_id, writer, reader, busyTimeoutMs, closeTimeoutMs });
  } catch (error) {
    await Promise.all([writer.close(closeTimeoutMs), reader.close(closeTimeoutMs)]);
    throw error;
  }
}
