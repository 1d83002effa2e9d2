import Database from "better-sqlite3";
import { StoreReplacedError, StoreSchemaError, StoreUnavailableError } from "../errors.ts";
import type { KnownDatabase, ThreadData } from "../threads/thread-messages.ts";
import { FileIdentity, isSame, removed, removeFormerWal, statsOf } from "./file-identity.ts";
import { waitForLock } from "./lock-wait.ts";

export interface WriterOptions {
  /** `full` survives a loss of power, `normal` a killed process. */
  readonly synchronous: "full" | "normal";
  /** The size to which a longer WAL is cut when it is overwritten from its start. */
  readonly keptWalBytes: number;
  /** Size of the WAL at which a commit also moves it into the database; 0 leaves that to a checkpointer. */
  readonly checkpointBytes: number;
}

export interface Connection {
  readonly database: Database.Database;
  /** The files that this connection uses. */
  readonly identity: FileIdentity;
}

/** How long a reader waits for another program to recover a WAL, the only thing it ever waits for. */
const readWaitMs = 1000;
const walFiles = ["-wal", "-shm"] as const;
/** A layered file system gives a file a new inode once, when it copies the file for writing. */
const openings = 3;

/**
 * @param until by `monotonicMs`: how long to wait for another program that is creating the same file
 * @throws StoreReplacedError it is not the database that this process had open
 */
export function openWriterConnection(
  { file, stop, known }: ThreadData,
  { synchronous, keptWalBytes, checkpointBytes }: WriterOptions,
  until: number,
): Connection {
  if (known !== null) removeFormerWal(file, known);
  const database = openFile(file, known, { timeout: 0, fileMustExist: true });
  return closeOnError(database, () => {
    // Applies to new files only. Rows of 3 to 8 KB, typical of long histories, would each fill a page of 8 KiB; with
    // smaller pages, small rows would take more of them.
    database.pragma("page_size = 16384");
    // The first use of the file: another program that is creating it may hold the lock.
    const mode = waitForLock(() => readPragma(database, "journal_mode = wal"), until, stop);
    if (mode !== "wal") {
      throw new StoreSchemaError(
        `it cannot be used in WAL mode (its mode is ${mode}): put it on a local disk`,
      );
    }
    // Payloads are UTF-8 bytes that the database stores unchanged.
    const encoding = readPragma(database, "encoding");
    if (encoding !== "UTF-8") {
      throw new StoreSchemaError(`its text encoding is ${encoding}, but must be UTF-8`);
    }
    database.pragma(`synchronous = ${synchronous}`);
    // Without this, macOS leaves synchronised data in the drive's cache; elsewhere it has no effect.
    database.pragma(`fullfsync = ${synchronous === "full" ? "on" : "off"}`);
    const pageBytes = Number(readPragma(database, "page_size"));
    database.pragma(`wal_autocheckpoint = ${Math.ceil(checkpointBytes / pageBytes)}`);
    database.pragma(`journal_size_limit = ${keptWalBytes}`);
    waitForLock(() => readTables(database), until, stop);
    return { database, identity: new FileIdentity(file, walFiles) };
  });
}

/**
 * Not opened read-only, because such a connection cannot recover a WAL that a killed process left.
 * @throws StoreReplacedError it is not the database that this process had open
 * @throws StoreUnavailableError it is, but its writer has not reopened it yet
 */
export function openReaderConnection({ file, known }: ThreadData): Connection {
  const database = openFile(file, known, { timeout: readWaitMs, fileMustExist: true });
  return closeOnError(database, () => {
    database.pragma("query_only = on");
    const isWal = readPragma(database, "journal_mode") === "wal";
    // For example a backup. It gets a WAL when a writer opens it, which would look like a replaced one from here.
    if (!isWal && known !== null) throw new StoreUnavailableError("it is being reopened");
    readTables(database);
    return { database, identity: new FileIdentity(file, isWal ? walFiles : []) };
  });
}

/** Makes sure that the name still leads to the file that was opened. */
function openFile(
  file: string,
  known: KnownDatabase | null,
  options: Database.Options,
): Database.Database {
  for (let opening = 1; ; opening += 1) {
    const before = statsOf(file);
    if (before === undefined && known !== null) throw new StoreReplacedError(removed(file));
    const database = new Database(file, options);
    if (isSame(before, statsOf(file)) || opening === openings) {
      return closeOnError(database, () => {
        if (known !== null) checkStorageId(database, file, known.storage_id);
        return database;
      });
    }
    database.close();
  }
}

/** Checked before anything is changed in a file that may belong to someone else. */
function checkStorageId(database: Database.Database, file: string, storage_id: string): void {
  if (readStorageId(database) === storage_id) return;
  throw new StoreReplacedError(
    `${file} is not the database that was in use: put that one back, or restart to continue with this one`,
  );
}

/** Undefined: the file has no schema yet. */
export function readStorageId(database: Database.Database): string | undefined {
  const found = database.prepare("select 1 from sqlite_schema where name = 'storage_info'").get();
  if (found === undefined) return undefined;
  return database.prepare<[], string>("select storage_id from storage_info").pluck().get();
}

/** The first read opens the WAL. */
function readTables(database: Database.Database): void {
  database.prepare("select name from sqlite_schema limit 1").all();
}

function closeOnError<Result>(database: Database.Database, configure: () => Result): Result {
  try {
    return configure();
  } catch (error) {
    database.close();
    throw error;
  }
}

function readPragma(database: Database.Database, pragma: string): string {
  return String(database.pragma(pragma, { simple: true }));
}
