import { hostname } from "node:os";
import Database from "better-sqlite3";
import { StoreInUseError } from "../errors.ts";
import { createPrivately } from "./database-file.ts";
import { isSame, statsOf } from "./file-identity.ts";
import { isBusy } from "./lock-wait.ts";
import { explainSqliteError } from "./sqlite-failure.ts";

export interface FileOwnerOptions {
  /** What the owner is, in an error: "gateway". */
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

/** The process's start. */
const started_at = new Date(performance.timeOrigin).toISOString();
/** The garbage collector would close what nobody refers to, and end the lock. */
const heldByProcess = new Set<Database.Database>();
/** For an owner that is just writing who it is. */
const introductionMs = 200;

/**
 * Makes this process the only owner of a database, which others may still open. The lock is SQLite's own
 * on the small file `<database>-owner`, an open write transaction: the system ends it with the process,
 * however that dies, and containers that share the file share it. It needs a local disk, as WAL does.
 * Others can still read who the owner is.
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
   * Takes the lock, also again where its file was removed. Nothing happens where it is held.
   * @throws StoreInUseError it is another one's
   * @throws StoreUnavailableError
   */
  hold(): void {
    const path = `${this.#file}-owner`;
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
      // Between the two transactions another process may have been quicker.
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

function introduce(database: Database.Database, program: string): void {
  database.exec(
    "create table if not exists owner (program text, pid integer, host text, started_at text); delete from owner",
  );
  database
    .prepare("insert into owner values (?, ?, ?, ?)")
    .run(program, process.pid, hostname(), started_at);
  // Others that read the owner delay a commit.
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
