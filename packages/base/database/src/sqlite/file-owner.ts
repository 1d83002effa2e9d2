import { realpathSync, statSync } from "node:fs";
import { hostname } from "node:os";
import Database from "better-sqlite3";
import { StoreInUseError } from "../errors.ts";
import { createPrivately } from "./database-file.ts";
import { isSame, statsOf } from "./file-identity.ts";
import { isBusy } from "./lock-wait.ts";
import { explainSqliteError } from "./sqlite-failure.ts";

export interface FileOwnerOptions {
  /** The owner's name in errors: "gateway". */
  readonly program: string;
  /** What to do instead of using one file twice, as a sentence. */
  readonly advice: string;
}

interface Owner {
  readonly program: string;
  readonly pid: number;
  readonly host: string;
  readonly started_at: string;
}

interface HeldLock {
  readonly database: Database.Database;
  readonly stats: ReturnType<typeof statsOf>;
}

/** When the process started. */
const started_at = new Date(performance.timeOrigin).toISOString();
/** Keeps locks alive: the garbage collector would close an unreferenced database and end its lock. */
const heldByProcess = new Set<Database.Database>();
/** How long to wait for an owner that is still writing its details. */
const introductionMs = 200;

/**
 * Makes this process the only owner of a database, which others may still open. The lock is SQLite's own, on the small
 * file `<database>-owner`: an open write transaction. The system ends it with the process, however that dies, and
 * containers that share the file share the lock. Like WAL, it needs a local disk. Others can still read who the owner
 * is.
 */
export class FileOwner {
  readonly #file: string;
  readonly #options: FileOwnerOptions;
  #held: HeldLock | null = null;

  constructor(file: string, options: FileOwnerOptions) {
    this.#file = file;
    this.#options = options;
  }

  /**
   * Takes the lock, or takes it again if its file was removed. Does nothing if it is already held.
   * @throws StoreInUseError another process holds it
   * @throws StoreUnavailableError
   */
  hold(): void {
    const path = `${realFile(this.#file)}-owner`;
    if (this.#held !== null) {
      if (isSame(this.#held.stats, statsOf(path))) return;
      this.release();
    }
    createPrivately(path);
    let database: Database.Database | null = null;
    try {
      database = new Database(path, { timeout: 0 });
      this.#lock(database);
      introduce(database, this.#options.program);
      // Another process may have been quicker between the two transactions.
      this.#lock(database);
      this.#held = { database, stats: statsOf(path) };
      heldByProcess.add(database);
    } catch (error) {
      database?.close();
      throw explainSqliteError(error, path);
    }
  }

  release(): void {
    if (this.#held === null) return;
    heldByProcess.delete(this.#held.database);
    this.#held.database.close();
    this.#held = null;
  }

  #lock(database: Database.Database): void {
    try {
      database.exec("begin immediate");
    } catch (error) {
      if (!isBusy(error)) throw error;
      const owner = readOwner(database);
      const name =
        owner === null
          ? "another process"
          : `a ${owner.program} (process ${owner.pid} on ${owner.host}, started ${owner.started_at})`;
      throw new StoreInUseError(`${this.#file} is in use by ${name}. ${this.#options.advice}`);
    }
  }
}

/**
 * The file behind links to it or to its folder. Under a second name of its own (a hard link) a database would have a
 * second WAL, and the two would overwrite each other.
 */
function realFile(file: string): string {
  let real: string;
  try {
    real = realpathSync(file);
  } catch {
    // It is missing, or the link leads nowhere: opening it says so.
    return file;
  }
  const stats = statSync(real);
  if (stats.isFile() && stats.nlink > 1) {
    throw new StoreInUseError(
      `${file} has a second name (a hard link), under which another process may use it. ` +
        "Remove one of the names, or copy the file",
    );
  }
  return real;
}

function introduce(database: Database.Database, program: string): void {
  database.exec(
    "create table if not exists owner (program text, pid integer, host text, started_at text); delete from owner",
  );
  database
    .prepare("insert into owner values (?, ?, ?, ?)")
    .run(program, process.pid, hostname(), started_at);
  // Other processes that read the owner delay the commit.
  database.pragma(`busy_timeout = ${introductionMs}`);
  database.exec("commit");
  database.pragma("busy_timeout = 0");
}

function readOwner(database: Database.Database): Owner | null {
  try {
    database.pragma(`busy_timeout = ${introductionMs}`);
    return database.prepare<[], Owner>("select * from owner").get() ?? null;
  } catch {
    return null;
  }
}
