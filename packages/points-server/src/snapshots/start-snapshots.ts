import { setTimeout as sleep } from "node:timers/promises";
import type { PointsStore } from "../points-store.ts";
import type { SnapshotInfo } from "./snapshot-info.ts";

export interface SnapshotSchedule {
  /** Waits for the snapshot that is being built. */
  stop(): Promise<void>;
}

export interface ScheduleOptions {
  readonly onSnapshot?: ((info: SnapshotInfo) => void) | undefined;
  /** One could not be built; the next one is tried at its time. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Builds a snapshot every `refreshTime` seconds, beginning at once. Where another process has built one
 * meanwhile, that one counts.
 */
export function startSnapshots(
  store: PointsStore,
  options: ScheduleOptions = {},
): SnapshotSchedule {
  const { refreshTime } = store.program;
  const stopped = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      let waitMs = refreshTime * 1000;
      try {
        const info = await store.buildSnapshot({ unlessYoungerThan: refreshTime });
        options.onSnapshot?.(info);
        waitMs = Math.min(Math.max((info.time + refreshTime) * 1000 - Date.now(), 0), waitMs);
      } catch (error) {
        options.onError?.(error);
      }
      await sleep(waitMs, undefined, { signal: stopped.signal }).catch(() => {});
    }
  };
  const running = run();
  return {
    stop: () => {
      stopped.abort();
      return running;
    },
  };
}
