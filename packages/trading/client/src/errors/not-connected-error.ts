/**
 * - `refused`: the server does not accept the token; the client has closed
 * - `timeout`: there was no connection in time
 * - `ended`: the server had just ended the connection
 * - `closed`: the client was closed
 */
export type NotConnectedReason = "refused" | "timeout" | "ended" | "closed";

/** There is no connection to the server; the request was not executed. */
export class NotConnectedError extends Error {
  override readonly name = "NotConnectedError";
  readonly reason: NotConnectedReason;

  constructor(reason: NotConnectedReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}
