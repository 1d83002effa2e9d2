import type { ServerResponse } from "node:http";
import type { GatewayError } from "../gateway-error.ts";

/** Headers of an error as names and values in turn, the contract's section "Bodies". */
export function errorHeaders(error: GatewayError, request_id: string): string[] {
  const headers = [
    "content-type",
    "application/json",
    "x-request-id",
    request_id,
    "x-should-retry",
    String(error.retryable),
    "x-gateway-error-source",
    error.kind.source,
  ];
  if (error.retryAfterMs !== null) {
    headers.push("retry-after", String(Math.ceil(error.retryAfterMs / 1_000)));
    headers.push("retry-after-ms", String(error.retryAfterMs));
  }
  for (const [name, value] of Object.entries(error.headers)) headers.push(name, value);
  return headers;
}

/** Answers with an error; does nothing where an answer has begun. */
export function replyError(
  res: ServerResponse,
  error: GatewayError,
  request_id: string,
  more: readonly string[] = [],
): void {
  if (res.headersSent || res.destroyed) return;
  const body = Buffer.from(JSON.stringify(error.body));
  const headers = [...errorHeaders(error, request_id), ...more];
  headers.push("content-length", String(body.length));
  // What is left of a body that was refused would otherwise have to be read to its end.
  if (!res.req.complete || error.code === "gateway_draining") headers.push("connection", "close");
  res.writeHead(error.kind.status, headers);
  res.end(body);
}
