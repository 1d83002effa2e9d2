import type { HttpError } from "@proj/http-client";

/** Both services failed. */
export class FallbackError extends Error {
  override readonly name = "FallbackError";
  /** From the first service, and from the second. */
  readonly errors: readonly [HttpError, HttpError];

  constructor(errors: readonly [HttpError, HttpError]) {
    super(`both services failed: ${errors.map(({ message }) => message).join("; ")}`);
    this.errors = errors;
  }
}
