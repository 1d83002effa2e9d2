/** An event that cannot be taken; the message says what is wrong, for who sent it. */
export class EventError extends Error {
  override readonly name = "EventError";
}
