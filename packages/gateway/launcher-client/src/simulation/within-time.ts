/** The work's time was up. */
export class TimeUpError extends Error {
  override readonly name = "TimeUpError";
}

/** How long aborted work may take to end what it started, in milliseconds. */
const graceMs = 15_000;

/**
 * Gives work a signal that aborts with `signal`, or when its time is up, and a function by which that time starts again
 * with another length. Work that ignores the signal is abandoned.
 * @throws TimeUpError; the reason of `signal`; whatever the work threw before that
 */
export async function withinTime<T>(
  milliseconds: number,
  signal: AbortSignal,
  work: (signal: AbortSignal, restart: (milliseconds: number) => void) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const ending = new AbortController();
  const leftBehind = Promise.withResolvers<never>();
  let grace: NodeJS.Timeout | undefined;
  const end = (reason: unknown): void => {
    if (ending.signal.aborted) return;
    ending.abort(reason);
    grace = setTimeout(() => leftBehind.reject(reason), graceMs);
  };
  const onAbort = (): void => end(signal.reason);
  let timer: NodeJS.Timeout | undefined;
  const restart = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => end(new TimeUpError(`timed out after ${ms / 1000} s`)), ms);
  };
  restart(milliseconds);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work(ending.signal, restart), leftBehind.promise]);
  } catch (error) {
    throw ending.signal.aborted ? ending.signal.reason : error;
  } finally {
    clearTimeout(timer);
    clearTimeout(grace);
    signal.removeEventListener("abort", onAbort);
  }
}
