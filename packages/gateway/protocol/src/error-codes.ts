/** Who caused an error; the value of the header `x-gateway-error-source`. */
export type ErrorSource = "caller" | "policy" | "gateway" | "upstream";

export interface ErrorKind {
  /** HTTP status of the answer. */
  readonly status: number;
  /** `error.type` of the body, as OpenAI clients know it. */
  readonly type: string;
  readonly source: ErrorSource;
  /** Whether sending the same request again can help: the header `x-should-retry`. */
  readonly retryable: boolean;
}

const kind = (
  status: number,
  type: string,
  source: ErrorSource,
  retryable: boolean,
): ErrorKind => ({ status, type, source, retryable });

export type ErrorCode =
  | "invalid_request"
  | "invalid_session_id"
  | "stream_not_supported"
  | "not_supported_by_engine"
  | "invalid_api_key"
  | "origin_not_allowed"
  | "not_found"
  | "previous_response_not_found"
  | "thread_not_found"
  | "thread_unsupported_request"
  | "model_not_found"
  | "model_not_allowed"
  | "endpoint_not_supported"
  | "session_not_found"
  | "job_not_found"
  | "method_not_allowed"
  | "request_timeout"
  | "session_closed"
  | "budget_spent"
  | "session_not_closed"
  | "session_not_new"
  | "step_not_found"
  | "not_replayable"
  | "replay_diverged"
  | "request_too_large"
  | "unsupported_encoding"
  | "route_saturated"
  | "route_paused"
  | "route_not_paused"
  | "rate_limited"
  | "websocket_not_supported"
  | "headers_too_large"
  | "internal_error"
  | "upstream_unreachable"
  | "upstream_invalid_response"
  | "overloaded"
  | "telemetry_unavailable"
  | "session_moved"
  | "storage_unavailable"
  | "gateway_draining"
  | "upstream_timeout";

/** Every error that the gateway itself answers with, by `code`. */
export const errorKinds: Readonly<Record<ErrorCode, ErrorKind>> = {
  invalid_request: kind(400, "invalid_request_error", "caller", false),
  invalid_session_id: kind(400, "invalid_request_error", "caller", false),
  stream_not_supported: kind(400, "invalid_request_error", "caller", false),
  not_supported_by_engine: kind(400, "invalid_request_error", "caller", false),
  invalid_api_key: kind(401, "authentication_error", "caller", false),
  origin_not_allowed: kind(403, "permission_error", "policy", false),
  not_found: kind(404, "invalid_request_error", "caller", false),
  previous_response_not_found: kind(404, "invalid_request_error", "caller", false),
  thread_not_found: kind(404, "invalid_request_error", "caller", false),
  thread_unsupported_request: kind(400, "invalid_request_error", "caller", false),
  model_not_allowed: kind(403, "permission_error", "policy", false),
  model_not_found: kind(404, "invalid_request_error", "caller", false),
  endpoint_not_supported: kind(404, "invalid_request_error", "caller", false),
  session_not_found: kind(404, "invalid_request_error", "caller", false),
  job_not_found: kind(404, "invalid_request_error", "caller", false),
  step_not_found: kind(404, "invalid_request_error", "caller", false),
  method_not_allowed: kind(405, "invalid_request_error", "caller", false),
  request_timeout: kind(408, "invalid_request_error", "caller", true),
  // 400 ends most programs at the first answer: many take 403 for a failed login, and retry 409.
  session_closed: kind(400, "invalid_request_error", "policy", false),
  budget_spent: kind(400, "invalid_request_error", "policy", false),
  session_not_closed: kind(409, "invalid_request_error", "policy", false),
  session_not_new: kind(409, "invalid_request_error", "policy", false),
  not_replayable: kind(409, "invalid_request_error", "policy", false),
  replay_diverged: kind(409, "invalid_request_error", "policy", false),
  request_too_large: kind(413, "invalid_request_error", "caller", false),
  unsupported_encoding: kind(415, "invalid_request_error", "caller", false),
  websocket_not_supported: kind(426, "invalid_request_error", "caller", false),
  route_saturated: kind(429, "rate_limit_error", "policy", true),
  route_paused: kind(429, "rate_limit_error", "policy", true),
  rate_limited: kind(429, "rate_limit_error", "policy", true),
  headers_too_large: kind(431, "invalid_request_error", "caller", false),
  internal_error: kind(500, "server_error", "gateway", true),
  upstream_unreachable: kind(502, "upstream_error", "upstream", true),
  upstream_invalid_response: kind(502, "upstream_error", "upstream", true),
  overloaded: kind(503, "server_error", "gateway", true),
  telemetry_unavailable: kind(503, "server_error", "gateway", true),
  session_moved: kind(503, "server_error", "gateway", true),
  storage_unavailable: kind(503, "server_error", "gateway", true),
  gateway_draining: kind(503, "server_error", "gateway", true),
  route_not_paused: kind(504, "server_error", "gateway", true),
  upstream_timeout: kind(504, "upstream_error", "upstream", true),
};

/** The statuses by which a model server says that the request itself is wrong. */
const refusals: ReadonlySet<number> = new Set([400, 405, 406, 411, 413, 414, 415, 416, 422, 431]);

/**
 * Who caused the answer of a model server, by its status: a request that it refuses is its caller's; a key, a path or
 * an account that it does not accept is the route's, like every limit, overload and failure. Null: a success.
 */
export function sourceOfStatus(status: number): ErrorSource | null {
  if (status < 400) return null;
  return refusals.has(status) || status === 499 ? "caller" : "upstream";
}

/** The body of every error, in the form that OpenAI clients parse. */
export interface ErrorBody {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string;
  };
}
