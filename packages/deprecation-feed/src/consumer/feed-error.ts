/** A feed could not be read; the message says which, and why. */
export class FeedError extends Error {
  override readonly name = "FeedError";
}
