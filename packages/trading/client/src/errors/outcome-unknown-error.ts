/**
 * A request that changes something was sent, but its answer never arrived: it may or may not have been
 * executed. It was not sent again. `client.reconcile` finds out what became of it.
 */
export class OutcomeUnknownError extends Error {
  override readonly name = "OutcomeUnknownError";
  /** Method and path of the request. */
  readonly request: string;

  /** @param cause why there was no answer; after an abort, the signal's reason */
  constructor(request: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`It is unknown whether ${request} was executed; check the tables: ${why}`, {
      cause,
    });
    this.request = request;
  }
}
