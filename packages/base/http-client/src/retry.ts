import type { IAxiosRetryConfig } from "axios-retry";
import type { RetryOptions } from "./call-options.ts";
import { ApiError, ConnectionError, HttpError } from "./http-errors.ts";

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
    retryCondition: (failed) => {
      const error = explain(failed);
      const wasNeverSent = error instanceof ConnectionError && error.neverSent;
      const mayRepeat = isIdempotent && error instanceof HttpError && error.isRetryable;
      if (!(wasNeverSent || mayRepeat)) return false;
      const askedMs = (error instanceof ApiError && error.retryAfterMs) || 0;
      delayMs = Math.max(askedMs, Math.random() * Math.min(maxDelayMs, minDelayMs * 2 ** failures));
      failures += 1;
      return performance.now() + delayMs < deadline;
    },
    retryDelay: () => delayMs,
    shouldResetTimeout: true,
  };
}
