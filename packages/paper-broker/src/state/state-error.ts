/** The stored state cannot be opened, or can no longer be written. Its message says what to do. */
export class StateError extends Error {
  override readonly name = "StateError";
}
