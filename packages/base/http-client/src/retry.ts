import { ApiError, ConnectionError, HttpError } from "./http-errors.ts";
import { backOffMs, sleep } from "./wait.ts";

/** Exponential back-off with full jitter; delays are milliseconds. */
export interface RetryOptions {
  /** Attempts after the first one. @default 3 */
  readonly retries?: number;
  /** After this time no further attempt starts. @default 60_000 */
  readonly totalMs?: number;
  /** @default 250 */
  readonly minDelayMs?: number;
  /** @default 8_000 */
  readonly maxDelayMs?: number;
}

export async function withRetries<T>(
  attempt: () => Promise<T>,
  { retries = 3, totalMs = 60_000, minDelayMs = 250, maxDelayMs = 8_000 }: RetryOptions,
  isIdempotent: boolean,
  signal: AbortSignal,
): Promise<T> {
  const deadline = performance.now() + totalMs;
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      const wasNeverSent = error instanceof ConnectionError && error.neverSent;
      const mayRepeat = isIdempotent && error instanceof HttpError && error.isRetryable;
      if (failures >= retries || !(wasNeverSent || mayRepeat)) throw error;
      const askedMs = (error instanceof ApiError && error.retryAfterMs) || 0;
      const delayMs = Math.max(askedMs, backOffMs(failures, minDelayMs, maxDelayMs));
      if (performance.now() + delayMs >= deadline) throw error;
      await sleep(delayMs, signal);
    }
  }
}
