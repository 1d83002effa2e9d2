/** The stored state cannot be opened or written. The message says what to do. */
export class StateError extends Error {
  override readonly name = "StateError";
}
