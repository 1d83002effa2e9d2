/** A file of prices that cannot be read, or that has something in it that is not a price. */
export class PriceFileError extends Error {
  override readonly name = "PriceFileError";
}
