import { addAbortListener } from "node:events";

export interface Deadline {
  /** Milliseconds; 0: none. */
  readonly timeoutMs: number;
  /** What the time-out rejects with. */
  readonly timeoutError: () => Error;
  /** Any of them ends it as well. */
  readonly signals: readonly (AbortSignal | undefined)[];
}

/** Runs what must end in time: its signal is aborted when the time is up, or with any of `signals`. */
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
