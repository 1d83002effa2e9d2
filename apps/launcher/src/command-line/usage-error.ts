/** What was asked for is not possible; the message says why. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
