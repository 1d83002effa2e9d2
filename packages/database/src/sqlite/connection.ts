import Database from "better-sqlite3";
import { StoreReplacedError, StoreSchemaError, StoreUnavailableError } from "../errors.ts";
import type { KnownDatabase, ThreadData } from "../threads/thread-messages.ts";
import { FileIdentity, isSame, removed, removeFormerWal, statsOf } from "./file-identity.ts";
import { waitForLock } from "./lock-wait.ts";

export interface WriterOptions {
  /** `full` survives a loss of power, `normal` a killed process. */
  readonly synchronous: "full" | "normal";
  /** Of a WAL that is written over from its start: a longer one is cut to this. */
  readonly keptWalBytes: number;
  /** In pages; 0: a checkpointer decides, as a commit would pay for it. */
  readonly autocheckpoint: number;
}

export interface Connection {
  readonly database: Database.Database;
  /** Of the files that this connection uses. */
  readonly identity: FileIdentity;
}

/** How long a reader waits for another program's recovery of a WAL, which is all that it can wait for. */
const readWaitMs = 1000;
const walFiles = ["-wal", "-shm"] as const;
/** A new inode may be given to a file once, when a layered file system copies it to be written. */
const openings = 3;

/**
 * @param until by `monotonicMs`: how long another program that makes the same file is waited for
 * @throws StoreReplacedError it is not the database that this process has had open
 */
export function openWriterConnection(
  { file, stop, known }: ThreadData,
  { synchronous, keptWalBytes, autocheckpoint }: WriterOptions,
  until: number,
): Connection {
  if (known !== null) removeFormerWal(file, known);
  const database = openFile(file, known, { timeout: 0, fileMustExist: true });
  return closeOnError(database, () => {
    // For a new file only. Rows of 3 to 8 KB, which are what long histories leave, would each fill a page
    // of 8 KiB; smaller pages make small rows take more of them.
    database.pragma("page_size = 16384");
    // The first use of a file: it may be locked, by another program that makes the same new one.
    const mode = waitForLock(() => readPragma(database, "journal_mode = wal"), until, stop);
    if (mode !== "wal") {
      throw new StoreSchemaError(
        `it cannot be used in WAL mode (its mode is ${mode}): put it on a local disk`,
      );
    }
    // Payloads are UTF-8 bytes that the database takes as they are.
    const encoding = readPragma(database, "encoding");
    if (encoding !== "UTF-8") {
      throw new StoreSchemaError(`its text encoding is ${encoding}, and must be UTF-8`);
    }
    database.pragma(`synchronous = ${synchronous}`);
    // Without it macOS leaves what was synchronised in the drive's cache; elsewhere it means nothing.
    database.pragma(`fullfsync = ${synchronous === "full" ? "on" : "off"}`);
    database.pragma(`wal_autocheckpoint = ${autocheckpoint}`);
    database.pragma(`journal_size_limit = ${keptWalBytes}`);
    waitForLock(() => readTables(database), until, stop);
    return { database, identity: new FileIdentity(file, walFiles) };
  });
}

/**
 * Not opened read-only: such a connection cannot recover a WAL that a killed process left.
 * @throws StoreReplacedError it is not the database that this process has had open
 * @throws StoreUnavailableError it is, and its writer has not opened it again yet
 */
export function openReaderConnection({ file, known }: ThreadData): Connection {
  const database = openFile(file, known, { timeout: readWaitMs, fileMustExist: true });
  return closeOnError(database, () => {
    database.pragma("query_only = on");
    const isWal = readPragma(database, "journal_mode") === "wal";
    // A backup, say. It gets a WAL when a writer opens it, which this connection could not tell from a replaced one.
    if (!isWal && known !== null) throw new StoreUnavailableError("it is being reopened");
    readTables(database);
    return { database, identity: new FileIdentity(file, isWal ? walFiles : []) };
  });
}

/** So that what the name leads to afterwards is what was opened. */
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

/** Before anything is changed in a file that may be somebody else's. */
function checkStorageId(database: Database.Database, file: string, storage_id: string): void {
  const hasInfo = database.prepare("select 1 from sqlite_schema where name = 'storage_info'").get();
  const found =
    hasInfo === undefined
      ? undefined
      : database.prepare<[], string>("select storage_id from storage_info").pluck().get();
  if (found === storage_id) return;
  throw new StoreReplacedError(
    `${file} is another database than the one that was in use: put that one back, or restart to go on with this one`,
  );
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
