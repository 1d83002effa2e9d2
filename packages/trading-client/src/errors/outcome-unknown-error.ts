/**
 * A request that changes something was sent, and its answer never came: it may have been carried
 * out or not. It was not sent again. `client.reconcile` tells what became of it.
 */
export class OutcomeUnknownError extends Error {
  override readonly name = "OutcomeUnknownError";
  /** Method and path of the request. */
  readonly request: string;

  /** @param cause why there was no answer; after an abort the signal's reason */
  constructor(request: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`It is unknown whether ${request} was carried out, look into the tables: ${why}`, {
      cause,
    });
    this.request = request;
  }
}
