/** The state of an earlier run cannot be read. Starting empty instead would lose its history. */
export class StateError extends Error {
  override readonly name = "StateError";
}
