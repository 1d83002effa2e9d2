import {
  CandleLimitError,
  HttpError,
  InvalidAnswerError,
  InvalidRequestError,
  NotConnectedError,
  OutcomeUnknownError,
  RefusalError,
  TimeoutError,
} from "@proj/trading-client";

/**
 * - `refused`: the broker refused; `refusal_code` is its code
 * - `invalid_request`: the request is invalid and was not sent
 * - `not_found`: this account has no such trade, order or request
 * - `not_allowed`: the server does not let this agent do it, or not now
 * - `not_executed`: the answer was lost and the request was not executed: it is safe to send again
 * - `outcome_unknown`: the answer was lost and the request may have been executed: see `request_id`
 * - `unavailable`: the broker cannot be reached, or did not answer in time; nothing was done
 * - `broker_error`: the broker answered with an error
 * - `internal`: a bug in this server
 */
export type ToolErrorCode =
  | "refused"
  | "invalid_request"
  | "not_found"
  | "not_allowed"
  | "not_executed"
  | "outcome_unknown"
  | "unavailable"
  | "broker_error"
  | "internal";

/** A failed tool call, as reported to the agent. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly code: ToolErrorCode;
  /** Further members of the error that the agent gets. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: ToolErrorCode,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
    cause?: unknown,
  ) {
    super(message, { cause });
    this.code = code;
    this.details = details;
  }
}

/** Converts anything thrown into the error that the agent gets. */
export function toolErrorOf(thrown: unknown): ToolError {
  if (thrown instanceof ToolError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const as = (code: ToolErrorCode, text = message, details = {}): ToolError =>
    new ToolError(code, text, details, thrown);
  if (thrown instanceof RefusalError) {
    const { code: refusal_code, parameters } = thrown;
    return as("refused", message, { refusal_code, parameters });
  }
  if (thrown instanceof CandleLimitError)
    return as("invalid_request", message, { earliest: thrown.earliest.toString() });
  if (thrown instanceof InvalidRequestError)
    return as("invalid_request", message, { field: thrown.field });
  if (thrown instanceof OutcomeUnknownError) return as("outcome_unknown");
  if (thrown instanceof NotConnectedError || thrown instanceof TimeoutError)
    return as("unavailable", `The broker cannot be reached: ${message}. Try again later.`);
  if (thrown instanceof HttpError || thrown instanceof InvalidAnswerError)
    return as("broker_error");
  return as("internal");
}
