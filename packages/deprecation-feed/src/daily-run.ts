import { Cron } from "croner";

/** 02:00 UTC, every day. */
const pattern = "0 2 * * *";

export interface DailyRunOptions {
  /** When the last run was, in ISO 8601; empty: never. A run that was due since is made up for at once. */
  readonly lastRun: string;
  /** One run; the signal ends it. Runs never overlap. What it throws goes to `onError`. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

export interface DailyRun {
  /** When the next one is due. */
  readonly next: Date | null;
  /** Ends the run that is under way, and resolves when it has ended. */
  stop(): Promise<void>;
}

/** Runs the job every day at 02:00 UTC. It does not keep the process alive. */
export function startDailyRun({ lastRun, run, onError }: DailyRunOptions): DailyRun {
  const stopped = new AbortController();
  let current: Promise<void> = Promise.resolve();
  const runOnce = (): Promise<void> => {
    current = run(stopped.signal).catch((error: unknown) => {
      if (!stopped.signal.aborted) onError(error);
    });
    return current;
  };
  const cron = new Cron(pattern, { timezone: "UTC", protect: true, unref: true }, runOnce);
  if (isRunDue(lastRun)) void cron.trigger();
  return {
    get next() {
      return cron.nextRun();
    },
    stop: () => {
      cron.stop();
      stopped.abort();
      return current;
    },
  };
}

/** Whether a run was due since the last one. */
export function isRunDue(lastRun: string, now: Date = new Date()): boolean {
  const [due] = new Cron(pattern, { timezone: "UTC" }).previousRuns(1, now);
  return lastRun === "" || (due !== undefined && new Date(lastRun) < due);
}
