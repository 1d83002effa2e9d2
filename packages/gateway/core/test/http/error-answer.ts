import { expect } from "vitest";

export type ErrorSource = "caller" | "policy" | "gateway" | "upstream";

/** The table of errors: status, type, source, and whether a retry can help. */
const contract: Readonly<
  Record<string, readonly [status: number, type: string, source: ErrorSource, retry: boolean]>
> = {
  invalid_request: [400, "invalid_request_error", "caller", false],
  invalid_session_id: [400, "invalid_request_error", "caller", false],
  stream_not_supported: [400, "invalid_request_error", "caller", false],
  invalid_api_key: [401, "authentication_error", "caller", false],
  origin_not_allowed: [403, "permission_error", "policy", false],
  not_found: [404, "invalid_request_error", "caller", false],
  model_not_allowed: [403, "permission_error", "policy", false],
  rate_limited: [429, "rate_limit_error", "policy", true],
  model_not_found: [404, "invalid_request_error", "caller", false],
  endpoint_not_supported: [404, "invalid_request_error", "caller", false],
  session_not_found: [404, "invalid_request_error", "caller", false],
  route_paused: [429, "rate_limit_error", "policy", true],
  route_not_paused: [504, "server_error", "gateway", true],
  step_not_found: [404, "invalid_request_error", "caller", false],
  job_not_found: [404, "invalid_request_error", "caller", false],
  method_not_allowed: [405, "invalid_request_error", "caller", false],
  request_timeout: [408, "invalid_request_error", "caller", true],
  session_closed: [400, "invalid_request_error", "policy", false],
  budget_spent: [400, "invalid_request_error", "policy", false],
  session_not_closed: [409, "invalid_request_error", "policy", false],
  session_not_new: [409, "invalid_request_error", "policy", false],
  not_replayable: [409, "invalid_request_error", "policy", false],
  previous_response_not_found: [404, "invalid_request_error", "caller", false],
  thread_not_found: [404, "invalid_request_error", "caller", false],
  thread_unsupported_request: [400, "invalid_request_error", "caller", false],
  replay_diverged: [409, "invalid_request_error", "policy", false],
  overloaded: [503, "server_error", "gateway", true],
  request_too_large: [413, "invalid_request_error", "caller", false],
  unsupported_encoding: [415, "invalid_request_error", "caller", false],
  headers_too_large: [431, "invalid_request_error", "caller", false],
  websocket_not_supported: [426, "invalid_request_error", "caller", false],
  route_saturated: [429, "rate_limit_error", "policy", true],
  telemetry_unavailable: [503, "server_error", "gateway", true],
  storage_unavailable: [503, "server_error", "gateway", true],
  gateway_draining: [503, "server_error", "gateway", true],
  upstream_unreachable: [502, "upstream_error", "upstream", true],
  upstream_invalid_response: [502, "upstream_error", "upstream", true],
  upstream_timeout: [504, "upstream_error", "upstream", true],
};

/** An answer whose body has been read. */
export interface ReadAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface ErrorExpectations {
  /** @default null */
  readonly param?: string | null;
  /** Overrides the table. */
  readonly retry?: boolean;
}

export async function readAnswer(response: Response): Promise<ReadAnswer> {
  const { status, headers } = response;
  return { status, headers, text: await response.text() };
}

/** Compares every part of an answer with the table's row for the code; returns the message. */
export function expectErrorAnswer(
  { status, headers, text }: ReadAnswer,
  code: string,
  { param = null, retry }: ErrorExpectations = {},
): string {
  const row = contract[code];
  if (row === undefined) throw new Error(`the table has no code '${code}'`);
  const [expectedStatus, type, source, retryable] = row;
  const body: unknown = JSON.parse(text);
  expect(body).toEqual({ error: { message: expect.any(String), type, param, code } });
  expect({
    status,
    type: headers.get("content-type"),
    length: headers.get("content-length"),
    retry: headers.get("x-should-retry"),
    source: headers.get("x-gateway-error-source"),
  }).toEqual({
    status: expectedStatus,
    type: "application/json",
    length: String(Buffer.byteLength(text)),
    retry: String(retry ?? retryable),
    source,
  });
  // A single id: repeated headers would be joined into a list.
  expect(headers.get("x-request-id")).toMatch(/^[\w-]+$/);
  expect(headers.get("server-timing")).toMatch(/^gateway;dur=\d+\.\d{3}(, |$)/);
  expect(text).not.toMatch(/\bat \S+ \(|\.ts:\d+|node:/);
  return (body as { error: { message: string } }).error.message;
}

export async function expectError(
  response: Response,
  code: string,
  expectations: ErrorExpectations = {},
): Promise<string> {
  return expectErrorAnswer(await readAnswer(response), code, expectations);
}

/** `Retry-After` in whole seconds, and the more precise `retry-after-ms`. */
export function expectRetryAfter(headers: Headers): void {
  const milliseconds = Number(headers.get("retry-after-ms"));
  expect(milliseconds).toBeGreaterThan(0);
  expect(headers.get("retry-after")).toBe(String(Math.ceil(milliseconds / 1_000)));
}
