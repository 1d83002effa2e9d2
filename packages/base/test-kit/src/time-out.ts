/** Milliseconds that waiting functions wait by default. */
export const defaultTimeoutMs = 45_000;

/**
 * Waits for a promise, but not forever.
 * @param what completes the sentence "timed out waiting for …"; a function is called only when that happens
 */
export async function within<T>(
  promise: Promise<T>,
  what: string | (() => string),
  timeoutMs: number = defaultTimeoutMs,
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const name = typeof what === "string" ? what : what();
    reject(new Error(`Timed out after ${timeoutMs} ms waiting for ${name}.`));
  }, timeoutMs);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
