/**
 * Whether a promise is fulfilled in time. If it is rejected in time, so is the result.
 * @param timeoutMs milliseconds
 */
export async function within(promise: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const { promise: timeout, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, timeoutMs, false);
  try {
    return await Promise.race([promise.then(() => true), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
