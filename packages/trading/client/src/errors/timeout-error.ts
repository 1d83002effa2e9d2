/** Something took longer than its time-out. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";
}
