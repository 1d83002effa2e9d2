import type { Database, Statement } from "better-sqlite3";
import type { FileIdentity } from "./file-identity.ts";

/**
 * The next commit waits for a checkpoint. With five times as much in the WAL the slowest answers take twice as long;
 * with a quarter, pages that many rows change are written back too often.
 */
const checkpointAtBytes = 8 * 1024 * 1024;
/** The fewest bytes written between two looks at the WAL's size. A look takes as long as inserting a few rows. */
const minBetweenLooks = 1024 * 1024;
/** Pages that one row can touch besides its payload: a leaf of the table and of each index, and a few more. */
const pagesPerRow = 4;
const idleMs = 100;

/** The number of checkpoints and the seconds they took, for another thread to read. */
export type CheckpointTally = Float64Array<SharedArrayBuffer>;

type CheckpointResult = { readonly log: number; readonly checkpointed: number };

/** Moves the WAL's content into the database when the writer is idle, and before the WAL grows large. */
export class Checkpointer {
  readonly #look: Statement<[], CheckpointResult>;
  readonly #passive: Statement<[], CheckpointResult>;
  readonly #truncate: Statement<[], CheckpointResult>;
  readonly #pageBytes: number;
  readonly #tally: CheckpointTally;
  #idle: NodeJS.Timeout | null;
  #due: NodeJS.Immediate | null = null;
  #committedAt = performance.now();
  /** What may still be written before the next look. A killed process may have left a large WAL. */
  #leftBytes = minBetweenLooks;

  constructor(
    database: Database,
    tally: CheckpointTally = new Float64Array(new SharedArrayBuffer(16)),
  ) {
    this.#tally = tally;
    this.#look = database.prepare("pragma wal_checkpoint(noop)");
    this.#passive = database.prepare("pragma wal_checkpoint(passive)");
    this.#truncate = database.prepare("pragma wal_checkpoint(truncate)");
    this.#pageBytes = Number(database.pragma("page_size", { simple: true }));
    this.#idle = this.#lookAfter(idleMs);
  }

  /**
   * Call it after every commit. It does its work later, after the reply; but when several commits come in one turn of
   * the event loop, before the reply to the second, or the WAL would grow until the turn ends.
   */
  committed(rows: number, bytes: number): void {
    this.#committedAt = performance.now();
    this.#idle ??= this.#lookAfter(idleMs);
    this.#leftBytes -= bytes + rows * pagesPerRow * this.#pageBytes;
    if (this.#leftBytes > 0) return;
    if (this.#due === null) this.#due = setImmediate(() => this.#limitSize());
    else this.#limitSize();
  }

  /** Saves content that is only in a WAL that was removed, but never mixes in another database's WAL. */
  close(identity: FileIdentity): void {
    if (this.#idle !== null) clearTimeout(this.#idle);
    if (this.#due !== null) clearImmediate(this.#due);
    if (!identity.isWalOurs) return;
    this.#run(this.#passive);
    this.#run(this.#truncate);
  }

  /** A commit does not restart the timer; if it fires early, it is set again for the rest of the time. */
  #lookAfter(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => {
      const leftMs = this.#committedAt + idleMs - performance.now();
      this.#idle = leftMs > 0 ? this.#lookAfter(leftMs) : null;
      if (leftMs <= 0) this.#run(this.#passive);
    }, milliseconds);
  }

  #limitSize(): void {
    if (this.#due !== null) clearImmediate(this.#due);
    this.#due = null;
    let pending = this.#pendingBytes(this.#look);
    if (pending >= checkpointAtBytes) pending = this.#pendingBytes(this.#passive);
    this.#leftBytes = Math.max(checkpointAtBytes - pending, minBetweenLooks);
  }

  /** Bytes that are only in the WAL afterwards; if the checkpoint fails, as many as call for another one. */
  #pendingBytes(checkpoint: Statement<[], CheckpointResult>): number {
    const result = this.#run(checkpoint);
    if (result === undefined) return checkpointAtBytes;
    return (result.log - result.checkpointed) * this.#pageBytes;
  }

  /** Failures are ignored: the next commit fails in the same way and can report it. */
  #run(checkpoint: Statement<[], CheckpointResult>): CheckpointResult | undefined {
    const began = performance.now();
    try {
      return checkpoint.get();
    } catch {
      return undefined;
    } finally {
      if (checkpoint !== this.#look) this.#count((performance.now() - began) / 1_000);
    }
  }

  #count(seconds: number): void {
    this.#tally[0] = (this.#tally[0] ?? 0) + 1;
    this.#tally[1] = (this.#tally[1] ?? 0) + seconds;
  }
}
