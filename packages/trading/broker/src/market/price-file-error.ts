/** A price file cannot be read or has an invalid record. */
export class PriceFileError extends Error {
  override readonly name = "PriceFileError";
}
