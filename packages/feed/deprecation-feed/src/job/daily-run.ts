import { Cron } from "croner";

/** 02:00 UTC every day. */
const pattern = "0 2 * * *";
/** Delay before the first retry of a run that could not fetch every page; doubled for each further one. */
const firstRetryMs = 60_000;
const maxRetryMs = 60 * 60_000;

/** `daily`: all pages; `retry`: the pages that could not be fetched. */
export type RunKind = "daily" | "retry";

export interface DailyRunOptions {
  /** The time of the last run in ISO 8601; empty: never. A run missed since then starts at once. */
  readonly lastRun: string;
  /** The last run could not fetch every page: those are retried at once. @default false */
  readonly wasIncomplete?: boolean;
  /**
   * Runs once, until the signal aborts it. Runs never overlap. Errors go to `onError`.
   * @returns whether every page could be fetched; if not, the rest is retried after one minute, two, four, up to an hour
   */
  readonly run: (signal: AbortSignal, kind: RunKind) => Promise<boolean>;
  readonly onError: (error: unknown) => void;
}

export interface DailyRun {
  /** When the next daily run is due. */
  readonly next: Date | null;
  /** Aborts the current run, and resolves when it has ended. */
  stop(): Promise<void>;
}

/** Runs the job every day at 02:00 UTC, and again after failures. Does not keep the process alive. */
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
    const delayMs = Math.min(firstRetryMs * 2 ** (failures - 1), maxRetryMs);
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

/** Whether a run has been due since the last one. */
export function isRunDue(lastRun: string, now: Date = new Date()): boolean {
  const [due] = new Cron(pattern, { timezone: "UTC" }).previousRuns(1, now);
  return lastRun === "" || (due !== undefined && new Date(lastRun) < due);
}
