import { addAbortListener } from "node:events";

/** Waits for the promise. An abort rejects with the signal's reason, but does not stop the promise. */
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
