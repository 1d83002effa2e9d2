/** An event that is not valid; the message tells its sender what is wrong. */
export class EventError extends Error {
  override readonly name = "EventError";
}
