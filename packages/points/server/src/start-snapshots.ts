import { setTimeout as sleep } from "node:timers/promises";
import type { PointsStore } from "./points-store.ts";
import type { SnapshotInfo } from "./snapshots/snapshot-info.ts";

export interface SnapshotSchedule {
  /** Abandons the snapshot that is being built, unless another call of `buildSnapshot` has started it. */
  stop(): Promise<void>;
}

export interface ScheduleOptions {
  /** @param builtMs how long it took; null: another process built it */
  readonly onSnapshot?: ((info: SnapshotInfo, builtMs: number | null) => void) | undefined;
  /** A snapshot could not be built; the next one is still attempted on schedule. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** A snapshot is more than `refreshTime` overdue. @param late_s seconds since it was due */
  readonly onLate?: ((late_s: number) => void) | undefined;
}

/**
 * Builds a snapshot now and every `refreshTime` seconds. A snapshot built by another process in the meantime
 * counts.
 */
export function startSnapshots(
  store: PointsStore,
  options: ScheduleOptions = {},
): SnapshotSchedule {
  const { refreshTime } = store.program;
  const stopped = new AbortController();
  const run = async (): Promise<void> => {
    let newest: string | null = null;
    // Lateness is reported once, however many attempts fail.
    let lateness: NodeJS.Timeout | undefined;
    while (!stopped.signal.aborted) {
      let waitMs = refreshTime * 1000;
      lateness ??= setTimeout(() => options.onLate?.(refreshTime), waitMs);
      const begun = performance.now();
      try {
        const before = (await store.readSnapshot())?.id ?? null;
        const { signal } = stopped;
        const info = await store.buildSnapshot({ unlessYoungerThan: refreshTime, signal });
        clearTimeout(lateness);
        lateness = undefined;
        if (info.id !== newest)
          options.onSnapshot?.(info, info.id === before ? null : performance.now() - begun);
        newest = info.id;
        waitMs = Math.min(Math.max((info.time + refreshTime) * 1000 - Date.now(), 0), waitMs);
      } catch (error) {
        if (!stopped.signal.aborted) options.onError?.(error);
      }
      await sleep(waitMs, undefined, { signal: stopped.signal }).catch(() => {});
    }
    clearTimeout(lateness);
  };
  const running = run();
  return {
    stop: () => {
      stopped.abort(new Error("snapshots are no longer built"));
      return running;
    },
  };
}
