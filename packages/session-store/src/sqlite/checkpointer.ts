import type { Database, Statement } from "better-sqlite3";

/** With a batch or two on top, the WAL stays within 64 MiB. */
const checkpointAtBytes = 40 * 1024 * 1024;
/** So much may be written before the size of the WAL is looked up again. */
const lookAfterBytes = 4 * 1024 * 1024;
/** Pages that one row can touch besides its payload: a leaf of the table and of each index, and then some. */
const pagesPerRow = 8;
const idleMs = 100;

type CheckpointResult = { readonly log: number; readonly checkpointed: number };

/** Moves the WAL's content into the database when the writer is idle, and before the WAL grows large. */
export class Checkpointer {
  readonly #look: Statement<[], CheckpointResult>;
  readonly #passive: Statement<[], CheckpointResult>;
  readonly #truncate: Statement<[], CheckpointResult>;
  readonly #pageBytes: number;
  readonly #idle: NodeJS.Timeout;
  #writtenBytes = 0;
  #isDirty = true;
  #isClosed = false;

  constructor(database: Database) {
    this.#look = database.prepare("pragma wal_checkpoint(noop)");
    this.#passive = database.prepare("pragma wal_checkpoint(passive)");
    this.#truncate = database.prepare("pragma wal_checkpoint(truncate)");
    this.#pageBytes = Number(database.pragma("page_size", { simple: true }));
    this.#idle = setTimeout(() => this.#whenIdle(), idleMs);
  }

  /** To be called after every commit, once its caller has been answered. */
  committed(rows: number, bytes: number): void {
    if (this.#isClosed) return;
    this.#isDirty = true;
    this.#idle.refresh();
    this.#writtenBytes += bytes + rows * pagesPerRow * this.#pageBytes;
    if (this.#writtenBytes < lookAfterBytes) return;
    this.#writtenBytes = 0;
    if (this.#pendingBytes() >= checkpointAtBytes) this.#run(this.#passive);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    this.#run(this.#passive);
    this.#run(this.#truncate);
  }

  #whenIdle(): void {
    if (!this.#isDirty) return;
    this.#isDirty = false;
    this.#run(this.#passive);
  }

  #pendingBytes(): number {
    const result = this.#run(this.#look);
    return result === undefined ? 0 : (result.log - result.checkpointed) * this.#pageBytes;
  }

  /** A failure is left to the next commit, which meets it too and has somebody to tell. */
  #run(checkpoint: Statement<[], CheckpointResult>): CheckpointResult | undefined {
    try {
      return checkpoint.get();
    } catch {
      this.#isDirty = true;
      return undefined;
    }
  }
}
