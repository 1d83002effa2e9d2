import type { ApiError } from "../api-error.ts";

/** Anthropic's error types by HTTP status; any other status is `invalid_request_error`. */
const errorTypes: ReadonlyMap<number, string> = new Map([
  [401, "authentication_error"],
  [403, "permission_error"],
  [404, "not_found_error"],
  [408, "timeout_error"],
  [413, "request_too_large"],
  [429, "rate_limit_error"],
  [500, "api_error"],
  [502, "api_error"],
  [503, "overloaded_error"],
  [504, "timeout_error"],
]);

/** One of the gateway's own errors in the form of Anthropic's API. */
export function messageErrorBody({ kind, code, message }: ApiError, request_id: string): object {
  const type = errorTypes.get(kind.status) ?? "invalid_request_error";
  // Official clients send everything when a thread is refused, and know it by this.
  const details = code.startsWith("thread_") ? { details: { error_code: code } } : {};
  return { type: "error", error: { type, message, code, ...details }, request_id };
}
