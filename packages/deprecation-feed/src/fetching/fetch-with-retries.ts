import { FetchError } from "./fetch-error.ts";
import { type FetchedText, type FetchOptions, fetchText } from "./fetch-text.ts";

export interface RetryOptions extends FetchOptions {
  /** Requests in all. @default 4 */
  readonly attempts?: number;
  /** Milliseconds before the second request; doubled before each further one. @default 1000 */
  readonly retryDelayMs?: number;
}

/** A server that asks for longer is not waited for. */
const longestWaitMs = 60_000;

/** Like `fetchText`, again where the failure may pass: 408, 425, 429, 5xx, a connection that broke. */
export async function fetchWithRetries(
  url: string,
  options: RetryOptions,
): Promise<FetchedText | null> {
  const { attempts = 4, retryDelayMs = 1000, signal } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetchText(url, options);
    } catch (error) {
      if (!(error instanceof FetchError) || !error.isPassing || attempt >= attempts) throw error;
      const waitMs = Math.max(retryDelayMs * 2 ** (attempt - 1), error.retryAfterMs ?? 0);
      if (waitMs > longestWaitMs) throw error;
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
