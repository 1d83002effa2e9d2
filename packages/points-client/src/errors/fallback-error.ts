import type { HttpError } from "@proj/http-client";

/** Both addresses failed. */
export class FallbackError extends Error {
  override readonly name = "FallbackError";
  /** Of the first address, and of the second. */
  readonly errors: readonly [HttpError, HttpError];

  constructor(errors: readonly [HttpError, HttpError]) {
    super(`both addresses failed: ${errors.map(({ message }) => message).join("; ")}`);
    this.errors = errors;
  }
}
