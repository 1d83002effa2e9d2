/** Hears of errors that callers do not: what was answered 500, and streams that failed. */
export type ErrorListener<Request> = (error: unknown, request: Request) => void;

/** Calls a listener. One that fails itself must not end the process. */
export function tell<R>(onError: ErrorListener<R>, error: unknown, request: R): void {
  const failed = (failure: unknown): void => console.error("onError failed:", failure);
  try {
    const result: unknown = onError(error, request);
    if (result instanceof Promise) result.catch(failed);
  } catch (failure) {
    failed(failure);
  }
}
