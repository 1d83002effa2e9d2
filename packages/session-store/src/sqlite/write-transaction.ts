import type { Database } from "better-sqlite3";
import { StoreUnavailableError } from "../store-errors.ts";
import { type StopFlag, waitForLock } from "./lock-wait.ts";

/** How long the lock is free between two transactions, or those who poll for it starve. */
const lockGapMs = 1;

/** The only way in which the writer writes: BEGIN IMMEDIATE, so that the lock is had first or not at all. */
export class WriteTransaction {
  readonly #database: Database;
  readonly #stop: StopFlag;
  readonly #busyTimeoutMs: number;
  readonly #begin: () => void;
  readonly #commit: () => void;
  #endedAt = 0;

  constructor(database: Database, busyTimeoutMs: number, stop: StopFlag) {
    const begin = database.prepare("begin immediate");
    const commit = database.prepare("commit");
    this.#database = database;
    this.#stop = stop;
    this.#busyTimeoutMs = busyTimeoutMs;
    this.#begin = () => begin.run();
    this.#commit = () => commit.run();
  }

  /**
   * Commits what `work` wrote, or nothing.
   * @param deadline milliseconds since the epoch; past it nothing is committed
   * @throws StoreUnavailableError no lock, or too late; and whatever `work` threw
   */
  run<T>(deadline: number, work: () => T): T {
    this.#enter(deadline);
    try {
      throwIfPast(deadline);
      const result = work();
      throwIfPast(deadline);
      this.#commit();
      return result;
    } finally {
      this.#leave();
    }
  }

  #enter(deadline: number): void {
    const gapLeftMs = this.#endedAt + lockGapMs - performance.now();
    if (gapLeftMs > 0) Atomics.wait(this.#stop, 0, 0, gapLeftMs);
    const until = Math.min(deadline, Date.now() + this.#busyTimeoutMs);
    waitForLock(this.#begin, until, this.#stop);
  }

  #leave(): void {
    // Some errors have ended the transaction already.
    if (this.#database.inTransaction) this.#database.exec("rollback");
    this.#endedAt = performance.now();
  }
}

function throwIfPast(deadline: number): void {
  if (Date.now() > deadline) {
    throw new StoreUnavailableError("the rows could not be stored before their deadline");
  }
}
