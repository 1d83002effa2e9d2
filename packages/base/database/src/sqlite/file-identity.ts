import { realpathSync, rmSync, statSync } from "node:fs";
import { StoreReplacedError, StoreUnavailableError } from "../errors.ts";
import type { KnownDatabase } from "../threads/thread-messages.ts";

/** What identifies a file. Numbers, unless they would not be exact. */
interface FileKey {
  readonly dev: number | bigint;
  readonly ino: number | bigint;
}

interface SeenFile {
  readonly path: string;
  readonly stats: FileKey | undefined;
}

/**
 * The files that a database's name leads to. A connection continues with the files that it opened, whatever happens to
 * their names: rows in an unlinked file, or in a WAL that nobody else reads, are lost.
 *
 * Device and inode identify a file, because the inode of an open file is never given to another one. A file that is
 * overwritten in place (`cp backup.db gateway.db`) keeps its inode, so that goes unnoticed.
 */
export class FileIdentity {
  readonly #files: readonly SeenFile[];
  readonly #database: SeenFile;
  readonly #wal: SeenFile;

  /**
   * Create it after the connection's first read, which is when SQLite opens the WAL and its index.
   * @param beside the other files that the connection has opened
   */
  constructor(file: string, beside: readonly ("-wal" | "-shm")[]) {
    // SQLite follows links and puts its other files beside the target.
    const target = realpathSync(file);
    this.#database = see(file);
    this.#wal = see(`${target}-wal`);
    this.#files = [this.#database, ...beside.map((suffix) => see(target + suffix))];
    this.check();
  }

  /** @throws StoreReplacedError */
  check(): void {
    for (const seen of this.#files) {
      const now = statsOf(seen.path);
      if (now === undefined) throw new StoreReplacedError(removed(seen.path));
      if (!isSame(seen.stats, now)) throw new StoreReplacedError(replaced(seen.path));
    }
  }

  /** What a thread needs to know to open the database again. */
  known(storage_id: string): KnownDatabase {
    return { storage_id, database: keyOf(this.#database.stats), wal: keyOf(this.#wal.stats) };
  }

  /** Whether the name leads to another database or to none; then the WAL is useless for the open one. */
  get isDatabaseReplaced(): boolean {
    return !isSame(this.#database.stats, statsOf(this.#database.path));
  }

  /** Whether the WAL may be moved into the database: no other program has started a new one. */
  get isWalOurs(): boolean {
    const now = statsOf(this.#wal.path);
    return now === undefined || isSame(this.#wal.stats, now);
  }
}

/**
 * If another file was put in the database's place, the WAL beside it belongs to the former one. SQLite would mix it
 * into the new file, so it is removed.
 */
export function removeFormerWal(file: string, known: KnownDatabase): void {
  const database = statsOf(file);
  if (database === undefined || keyOf(database) === known.database) return;
  const target = realpathSync(file);
  if (keyOf(statsOf(`${target}-wal`)) !== known.wal) return;
  for (const suffix of ["-wal", "-shm"]) rmSync(target + suffix, { force: true });
}

function keyOf(stats: FileKey | undefined): string {
  return stats === undefined ? "" : `${stats.dev}:${stats.ino}`;
}

export const removed = (path: string): string =>
  `${path} was removed while it was in use: put it back, or restart to begin with the files that are there`;

const replaced = (path: string): string =>
  `another file took the place of ${path} while it was in use: put the right one back, or restart to continue with this one`;

const see = (path: string): SeenFile => ({ path, stats: statsOf(path) });

export function statsOf(path: string): FileKey | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined || isExact(stats)) return stats;
    // Not always: after each wait for the disk, the arithmetic of `BigIntStats` takes as long as the call itself.
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreUnavailableError(`${path} cannot be examined: ${reason}`, { cause: error });
  }
}

/** Whether the numbers are those of one file: a number beyond `Number.MAX_SAFE_INTEGER` stands for several inodes. */
export const isExact = ({ dev, ino }: FileKey): boolean =>
  Number.isSafeInteger(dev) && Number.isSafeInteger(ino);

export function isSame(first: FileKey | undefined, second: FileKey | undefined): boolean {
  return first?.ino === second?.ino && first?.dev === second?.dev;
}
