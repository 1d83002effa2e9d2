/** Something was not there in time. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";
}
