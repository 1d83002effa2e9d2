import { addAbortListener } from "node:events";

/** What the promise gives; an abort rejects with the signal's reason, and the promise goes on. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const link = addAbortListener(signal, () => aborted.reject(signal.reason));
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    link[Symbol.dispose]();
  }
}
