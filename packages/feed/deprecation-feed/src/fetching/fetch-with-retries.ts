import { FetchError } from "./fetch-error.ts";
import { type FetchedText, type FetchOptions, fetchText } from "./fetch-text.ts";

export interface RetryOptions extends FetchOptions {
  /** How many requests at most. @default 4 */
  readonly attempts?: number;
  /** Milliseconds before the second request; doubled before each later one. @default 1000 */
  readonly retryDelayMs?: number;
  /**
   * Whether only the first request is conditional: browsers send no conditional requests to other origins that do not
   * allow it, which many servers of static files do not. @default false
   */
  readonly isConditionalOnce?: boolean;
}

/** A longer delay requested by the server is not waited for. */
const maxWaitMs = 60_000;

/** `fetchText` with retries after 408, 425, 429, 5xx or a broken connection. */
export async function fetchWithRetries(
  url: string,
  options: RetryOptions,
): Promise<FetchedText | null> {
  const { attempts = 4, retryDelayMs = 1000, isConditionalOnce = false, signal } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      const isPlain = isConditionalOnce && attempt > 1;
      return await fetchText(url, isPlain ? { ...options, validators: null } : options);
    } catch (error) {
      if (!(error instanceof FetchError) || !error.isPassing || attempt >= attempts) throw error;
      const waitMs = Math.max(retryDelayMs * 2 ** (attempt - 1), error.retryAfterMs ?? 0);
      if (waitMs > maxWaitMs) throw error;
      await wait(waitMs, signal);
    }
  }
}

/** @throws the signal's reason */
async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
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
