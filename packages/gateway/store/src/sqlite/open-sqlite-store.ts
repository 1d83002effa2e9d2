import { monotonicMs } from "@proj/database";
import {
  type CheckpointTally,
  databaseFile,
  FileOwner,
  makeDatabaseFile,
} from "@proj/database/sqlite";
import { FileThreads } from "@proj/database/threads";
import { defaultLargeValueBytes } from "../large-values.ts";
import * as browseReads from "../queries/browse/browse-reads.ts";
import { callsOf } from "../queries/query-calls.ts";
import type { BrowseCalls, SessionReadCalls } from "../queries/read-calls.ts";
import * as sessionReads from "../queries/session-reads.ts";
import type { BrowsableStore } from "../store-browser.ts";
import type { ReaderCalls } from "./reader-calls.ts";
import { SqliteStore } from "./sqlite-store.ts";
import type { WriterCalls } from "./writer-calls.ts";
import { compileWriterStatements } from "./writer-statements.ts";

const readTimeoutMs = 10_000;

export interface SqliteStoreOptions {
  /** `sqlite://<file>`; relative files are relative to the working directory. Missing folders are created. */
  readonly db_url: string;
  /** `full` survives a loss of power, `normal` a killed process. @default "full" */
  readonly synchronous?: "full" | "normal";
  /** How long to wait for a lock that another process holds, in milliseconds. @default 30000 */
  readonly busyTimeoutMs?: number;
  /** Strings of payloads from this size on are stored once for each job, in bytes. @default 32768 */
  readonly large_value_bytes?: number;
  /**
   * How long `close` waits for operations in progress, in milliseconds. Operations that then still wait for a lock fail
   * as unavailable. @default 10000
   */
  readonly closeTimeoutMs?: number;
  /**
   * Whether this process becomes the file's owner; only one may. A program that only adds its own sessions beside a
   * gateway is not the owner. @default true
   */
  readonly isOwner?: boolean;
}

export interface SqliteJobStoreOptions extends SqliteStoreOptions {
  /** Whether to create a missing database; otherwise that is a StoreUnavailableError. @default true */
  readonly create?: boolean;
}

/**
 * Opens the database for a gateway, creates it if it is missing, and updates its schema.
 * @throws TypeError `db_url` names no file
 * @throws StoreSchemaError the schema is newer than this program
 * @throws StoreInUseError another gateway has it open
 * @throws StoreUnavailableError
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<BrowsableStore> {
  const { synchronous = "full", busyTimeoutMs = 30_000, closeTimeoutMs = 10_000 } = options;
  const { large_value_bytes: largeValueBytes = defaultLargeValueBytes } = options;
  const file = databaseFile(options.db_url);
  makeDatabaseFile(file);
  const owner = (options.isOwner ?? true) ? ownerOf(file) : null;
  owner?.hold();
  const statements = compileWriterStatements();
  const told = { largest_id: 0 };
  const checkpoints: CheckpointTally = new Float64Array(new SharedArrayBuffer(16));
  const threads = new FileThreads<WriterCalls, ReaderCalls>({
    file,
    writer: import.meta.resolve("@proj/session-store/sqlite-writer-worker"),
    reader: import.meta.resolve("@proj/session-store/sqlite-reader-worker"),
    hasBrowser: true,
    writerData: () => ({
      synchronous,
      busyTimeoutMs,
      statements,
      largeValueBytes,
      after_id: told.largest_id,
      checkpoints,
    }),
  });
  try {
    const storage_id = await threads.start();
    const timeouts = { busyTimeoutMs, closeTimeoutMs };
    const parts = { storage_id, file, owner, threads, told, checkpoints, ...timeouts };
    const browsing = threads.browser ?? threads.reader;
    const options = () => ({ deadline: monotonicMs() + readTimeoutMs });
    return Object.assign(new SqliteStore(parts), {
      ...callsOf<SessionReadCalls>(sessionReads, (name, request) =>
        // A page of steps may be large. What a session waits for is not.
        (name === "readSteps" ? browsing : threads.reader).call(name, request, options()),
      ),
      browser: callsOf<BrowseCalls>(browseReads, (name, request) =>
        browsing.call(name, request, options()),
      ),
    });
  } catch (error) {
    await threads.close(closeTimeoutMs);
    owner?.release();
    throw error;
  }
}

const ownerOf = (file: string): FileOwner =>
  new FileOwner(file, {
    program: "gateway",
    advice: "Stop that one first, or use another file. Several gateways can share PostgreSQL.",
  });
