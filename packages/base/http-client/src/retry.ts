import type { IAxiosRetryConfig } from "axios-retry";
import { ApiError, ConnectionError, HttpError } from "./http-errors.ts";
import { backOffMs } from "./wait.ts";

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

/** What axios-retry does after an error of one call. */
export function retryPolicy(
  options: RetryOptions | false,
  isIdempotent: boolean,
  explain: (error: unknown) => unknown,
): IAxiosRetryConfig {
  const { retries = 3, totalMs = 60_000, minDelayMs = 250, maxDelayMs = 8_000 } = options || {};
  const deadline = performance.now() + totalMs;
  let failures = 0;
  let delayMs = 0;
  return {
    retries: options ? retries : 0,
    shouldResetTimeout: true,
    retryCondition: (failed) => {
      const error = explain(failed);
      const wasNeverSent = error instanceof ConnectionError && error.neverSent;
      const mayRepeat = isIdempotent && error instanceof HttpError && error.isRetryable;
      if (!(wasNeverSent || mayRepeat)) return false;
      const askedMs = (error instanceof ApiError && error.retryAfterMs) || 0;
      delayMs = Math.max(askedMs, backOffMs(failures, minDelayMs, maxDelayMs));
      failures += 1;
      return performance.now() + delayMs < deadline;
    },
    retryDelay: () => delayMs,
  };
}
