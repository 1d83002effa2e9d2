/** A feed could not be read; the message says which one, and why. */
export class FeedError extends Error {
  override readonly name = "FeedError";
}
