import Database from "better-sqlite3";
import { StoreUnavailableError } from "../store-errors.ts";

/** Set to 1 by the thread that closes the store: nobody waits for a lock any longer. */
export type StopFlag = Int32Array<SharedArrayBuffer>;

const longestPauseMs = 25;

/**
 * Tries again while the database is locked. SQLite's own busy handler would sleep in native code,
 * where neither a closing store nor a terminated thread can reach it; so it is off, and this waits.
 * @param until milliseconds since the epoch
 * @throws StoreUnavailableError still locked, or the store is being closed
 */
export function waitForLock<T>(attempt: () => T, until: number, stop: StopFlag): T {
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error)) throw error;
      const leftMs = until - Date.now();
      if (leftMs <= 0) {
        throw new StoreUnavailableError(
          "the database is locked by another process, and the time to wait for it is over",
          { cause: error },
        );
      }
      if (Atomics.wait(stop, 0, 0, Math.min(pauseMs, leftMs)) !== "timed-out") {
        throw new StoreUnavailableError("the database is locked, and the store is being closed", {
          cause: error,
        });
      }
    }
  }
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof Database.SqliteError &&
    (error.code.startsWith("SQLITE_BUSY") || error.code.startsWith("SQLITE_LOCKED"))
  );
}
