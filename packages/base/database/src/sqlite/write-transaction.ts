import type { Database } from "better-sqlite3";
import { monotonicMs } from "../clock.ts";
import { StoreUnavailableError } from "../errors.ts";
import type { StopFlag } from "../threads/thread-messages.ts";
import type { Connection } from "./connection.ts";
import type { FileIdentity } from "./file-identity.ts";
import { lockWaited, waitForLock } from "./lock-wait.ts";

/**
 * After a transaction the lock stays free for half as long as it was held, but no longer than this. Without a gap,
 * programs that poll for the lock would starve; with this one, every third attempt succeeds beside a busy writer.
 */
const maxGapMs = 1;

/** A writer writes only through this: BEGIN IMMEDIATE takes the write lock at the start or fails. */
export class WriteTransaction {
  readonly #database: Database;
  readonly #identity: FileIdentity;
  readonly #stop: StopFlag;
  readonly #busyTimeoutMs: number;
  readonly #begin: () => void;
  readonly #commit: () => void;
  #heldSince = 0;
  #endedAt = 0;

  constructor({ database, identity }: Connection, busyTimeoutMs: number, stop: StopFlag) {
    const begin = database.prepare("begin immediate");
    const commit = database.prepare("commit");
    this.#database = database;
    this.#identity = identity;
    this.#stop = stop;
    this.#busyTimeoutMs = busyTimeoutMs;
    this.#begin = () => begin.run();
    this.#commit = () => commit.run();
  }

  /**
   * Commits what `work` wrote, or nothing. After a StoreReplacedError it may be committed in a file that nobody will
   * read: send it again once the right file is back.
   * @param deadline by `monotonicMs`; nothing is committed after it
   * @throws StoreUnavailableError no lock, or too late; and whatever `work` threw
   */
  run<T>(deadline: number, work: () => T): T {
    this.#leaveGap();
    waitForLock(this.#begin, this.#until(deadline), this.#stop);
    this.#heldSince = performance.now();
    try {
      // Not before the wait for the lock, which may be long.
      this.#identity.check();
      throwIfPast(deadline);
      const result = work();
      this.#commitUntil(deadline);
      return result;
    } finally {
      this.#leave();
    }
  }

  /** The same for asynchronous work. The caller must run one at a time. */
  async runAsync<T>(deadline: number, work: () => Promise<T>): Promise<T> {
    this.#leaveGap();
    await lockWaited(this.#begin, this.#until(deadline), this.#stop);
    this.#heldSince = performance.now();
    try {
      // Not before the wait for the lock, which may be long.
      this.#identity.check();
      throwIfPast(deadline);
      const result = await work();
      this.#commitUntil(deadline);
      return result;
    } finally {
      this.#leave();
    }
  }

  #leaveGap(): void {
    const gapMs = Math.min((this.#endedAt - this.#heldSince) / 2, maxGapMs);
    const leftMs = this.#endedAt + gapMs - performance.now();
    if (leftMs > 0) Atomics.wait(this.#stop, 0, 0, leftMs);
  }

  #commitUntil(deadline: number): void {
    throwIfPast(deadline);
    this.#commit();
    // The file may have been replaced since. Data counts as stored only in the file with this name.
    this.#identity.check();
  }

  #until(deadline: number): number {
    return Math.min(deadline, monotonicMs() + this.#busyTimeoutMs);
  }

  #leave(): void {
    // Some errors have already ended the transaction.
    if (this.#database.inTransaction) this.#database.exec("rollback");
    this.#endedAt = performance.now();
  }
}

function throwIfPast(deadline: number): void {
  if (monotonicMs() > deadline) {
    throw new StoreUnavailableError("the rows could not be stored before their deadline");
  }
}
