/** Resolves after `ms` milliseconds. An abort rejects with the signal's reason. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const abort = (): void => reject(signal?.reason);
  signal?.addEventListener("abort", abort);
  await promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  });
}

/** Exponential back-off with full jitter, in milliseconds. @param attempt from 0 */
export const backOffMs = (attempt: number, minDelayMs: number, maxDelayMs: number): number =>
  Math.random() * Math.min(maxDelayMs, minDelayMs * 2 ** attempt);

/** The delay that `retry-after-ms` or `Retry-After` (RFC 9110, section 10.2.3) asks for; null: none. */
export function retryAfterMs(headers: Readonly<Record<string, string>>): number | null {
  const { "retry-after-ms": milliseconds = "", "retry-after": after = "" } = headers;
  if (number.test(milliseconds)) return Number(milliseconds);
  if (number.test(after)) return 1_000 * Number(after);
  const date = Date.parse(after);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}

const number = /^\d+(\.\d+)?$/;
