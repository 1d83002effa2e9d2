import { sleep } from "@proj/http-client";

export interface PollOptions {
  /** In total, in milliseconds. */
  readonly timeoutMs: number;
  /** Between two attempts, in milliseconds. @default 500 */
  readonly minDelayMs?: number | undefined;
  /** @default 40_000 */
  readonly maxDelayMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Not done: `retryAfterMs` is the shortest delay; `atOnce`: no delay, because `ask` has already waited. */
export type Polled<T> =
  | { readonly done: true; readonly value: T }
  | { readonly done: false; readonly retryAfterMs?: number | null; readonly atOnce?: boolean };

/**
 * Calls `ask` until it is done, with exponential back-off and jitter in between.
 * @param ask gets the milliseconds that are left, and must finish within them
 * @returns null: the time is up, or would be before the next attempt
 * @throws what `ask` throws; the signal's reason
 */
export async function poll<T>(
  ask: (remainingMs: number) => Promise<Polled<T>>,
  { timeoutMs, minDelayMs = 500, maxDelayMs = 40_000, signal }: PollOptions,
): Promise<T | null> {
  const deadline = performance.now() + timeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    const polled = await ask(deadline - performance.now());
    if (polled.done) return polled.value;
    // Leaves the last attempt time for its answer.
    const latestMs = deadline - performance.now() - minDelayMs;
    const backOff = Math.max(
      minDelayMs,
      Math.random() * Math.min(maxDelayMs, minDelayMs * 2 ** attempt),
    );
    const waitMs = Math.max(polled.retryAfterMs ?? 0, Math.min(backOff, latestMs));
    const delayMs = polled.atOnce ? 0 : waitMs;
    if (latestMs <= 0 || delayMs > latestMs) return null;
    await sleep(delayMs, signal);
  }
}
