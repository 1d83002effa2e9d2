import { addAbortListener } from "node:events";

export interface Deadline {
  /** Milliseconds; 0: none. */
  readonly timeoutMs: number;
  /** Makes the error of the time-out. */
  readonly timeoutError: () => Error;
  /** Any of them aborts the run. */
  readonly signals: readonly (AbortSignal | undefined)[];
}

/** Runs with a time limit: the run's signal aborts when the time is up or when any of `signals` does. */
export async function withDeadline<T>(
  { timeoutMs, timeoutError, signals }: Deadline,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const links = signals
    .filter((signal) => signal !== undefined)
    .map((signal) => addAbortListener(signal, () => ended.abort(signal.reason)));
  const timer =
    timeoutMs > 0 ? setTimeout(() => ended.abort(timeoutError()), timeoutMs) : undefined;
  try {
    ended.signal.throwIfAborted();
    return await run(ended.signal);
  } finally {
    clearTimeout(timer);
    for (const link of links) link[Symbol.dispose]();
  }
}
