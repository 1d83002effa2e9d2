/** The stored state cannot be opened, or not be written any more. Its message says what to do. */
export class StateError extends Error {
  override readonly name = "StateError";
}
