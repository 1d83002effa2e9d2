import { Cron } from "croner";

/** 02:00 UTC, every day. */
const pattern = "0 2 * * *";
/** Before the first retry of a run that did not read every page; doubled before each further one. */
const firstRetryMs = 60_000;
const longestRetryMs = 60 * 60_000;

/** `daily`: all pages; `retry`: those that could not be had. */
export type RunKind = "daily" | "retry";

export interface DailyRunOptions {
  /** When the last run was, in ISO 8601; empty: never. A run that was due since is made up for at once. */
  readonly lastRun: string;
  /** The last run could not have every page: they are tried again at once. @default false */
  readonly wasIncomplete?: boolean;
  /**
   * One run; the signal ends it. Runs never overlap. What it throws goes to `onError`.
   * @returns whether every page could be had; others are tried again after one minute, two, four, up to an hour
   */
  readonly run: (signal: AbortSignal, kind: RunKind) => Promise<boolean>;
  readonly onError: (error: unknown) => void;
}

export interface DailyRun {
  /** When the next daily one is due. */
  readonly next: Date | null;
  /** Ends the run that is under way, and resolves when it has ended. */
  stop(): Promise<void>;
}

/** Runs the job every day at 02:00 UTC, and again after failures. It does not keep the process alive. */
export function startDailyRun(options: DailyRunOptions): DailyRun {
  const { lastRun, run, onError } = options;
  const stopped = new AbortController();
  let current: Promise<void> = Promise.resolve();
  let isRunning = false;
  let retry: NodeJS.Timeout | undefined;
  let failures = 0;

  const runOnce = async (kind: RunKind): Promise<void> => {
    clearTimeout(retry);
    const isComplete = await run(stopped.signal, kind).catch((error: unknown) => {
      if (!stopped.signal.aborted) onError(error);
      return false;
    });
    if (stopped.signal.aborted) return;
    failures = isComplete ? 0 : failures + 1;
    if (isComplete) return;
    const delayMs = Math.min(firstRetryMs * 2 ** (failures - 1), longestRetryMs);
    retry = setTimeout(start, delayMs, "retry").unref();
  };
  const start = (kind: RunKind): void => {
    if (isRunning) return;
    isRunning = true;
    current = runOnce(kind).finally(() => {
      isRunning = false;
    });
  };

  const cron = new Cron(pattern, { timezone: "UTC", unref: true }, () => start("daily"));
  if (isRunDue(lastRun)) start("daily");
  else if (options.wasIncomplete) start("retry");
  return {
    get next() {
      return cron.nextRun();
    },
    stop: () => {
      cron.stop();
      clearTimeout(retry);
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
