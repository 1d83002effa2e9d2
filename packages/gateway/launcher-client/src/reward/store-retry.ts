import { StoreUnavailableError } from "@proj/session-store";
import { poll } from "../poll.ts";

export interface StoreRetryOptions {
  /** For all tries together, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Retries work that can safely be repeated until the storage is available, with exponential back-off.
 * @throws StoreUnavailableError the last one, when the time is up; the signal's reason
 */
export async function retryStore<T>(
  attempt: () => Promise<T>,
  { timeoutMs, signal }: StoreRetryOptions,
): Promise<T> {
  let unavailable: StoreUnavailableError | null = null;
  const done = await poll<{ readonly result: T }>(
    async () => {
      try {
        return { done: true, value: { result: await attempt() } };
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        unavailable = error;
        return { done: false };
      }
    },
    { timeoutMs, minDelayMs: 100, maxDelayMs: 5_000, signal },
  );
  if (done === null) throw unavailable;
  return done.result;
}
