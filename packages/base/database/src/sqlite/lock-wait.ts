import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { monotonicMs } from "../clock.ts";
import { StoreUnavailableError } from "../errors.ts";
import type { StopFlag } from "../threads/thread-messages.ts";

const maxPauseMs = 25;

/**
 * Tries again while the database is locked. SQLite's own busy handler would sleep in native code, where neither a
 * closing store nor a terminated thread can reach it; so it is off, and we wait here.
 * @param until by `monotonicMs`
 * @throws StoreUnavailableError still locked, or the store is being closed
 */
export function waitForLock<T>(attempt: () => T, until: number, stop: StopFlag): T {
  for (let pauseMs = 1; ; pauseMs = longerPause(pauseMs)) {
    try {
      return attempt();
    } catch (error) {
      Atomics.wait(stop, 0, 0, Math.min(pauseMs, leftToWait(error, until)));
      throwIfClosing(error, stop);
    }
  }
}

/** The same, but the thread can do other work while it waits. */
export async function lockWaited<T>(attempt: () => T, until: number, stop: StopFlag): Promise<T> {
  for (let pauseMs = 1; ; pauseMs = longerPause(pauseMs)) {
    try {
      return attempt();
    } catch (error) {
      await sleep(Math.min(pauseMs, leftToWait(error, until)));
      throwIfClosing(error, stop);
    }
  }
}

export function isBusy(error: unknown): boolean {
  return (
    error instanceof Database.SqliteError &&
    (error.code.startsWith("SQLITE_BUSY") || error.code.startsWith("SQLITE_LOCKED"))
  );
}

const longerPause = (pauseMs: number): number => Math.min(pauseMs * 2, maxPauseMs);

/** @throws the error, unless waiting can help; a StoreUnavailableError when the time is up */
function leftToWait(error: unknown, until: number): number {
  if (!isBusy(error)) throw error;
  const leftMs = until - monotonicMs();
  if (leftMs > 0) return leftMs;
  throw new StoreUnavailableError(
    "the database is locked by another process, and the time to wait for it is up",
    { cause: error },
  );
}

function throwIfClosing(error: unknown, stop: StopFlag): void {
  if (Atomics.load(stop, 0) === 0) return;
  throw new StoreUnavailableError("the database is locked, and the store is being closed", {
    cause: error,
  });
}
