/** What an earlier run left cannot be read. To start from nothing instead would lose its history. */
export class StateError extends Error {
  override readonly name = "StateError";
}
