/** Gets errors that callers do not see: those behind answers with status 500, and those of failed streams. */
export type ErrorListener<Request> = (error: unknown, request: Request) => void;

/** Calls a listener; an error of its own must not end the process. */
export function tell<R>(onError: ErrorListener<R>, error: unknown, request: R): void {
  const failed = (failure: unknown): void => console.error("onError failed:", failure);
  try {
    const result: unknown = onError(error, request);
    if (result instanceof Promise) result.catch(failed);
  } catch (failure) {
    failed(failure);
  }
}
