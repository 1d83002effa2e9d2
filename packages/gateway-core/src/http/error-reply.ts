import type { ServerResponse } from "node:http";
import type { GatewayError } from "../gateway-error.ts";
import { sendWhole } from "./whole-answer.ts";

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

/**
 * Answers with an error; does nothing where an answer has begun.
 * @param more further headers, names and values in turn
 */
export function replyError(
  res: ServerResponse,
  error: GatewayError,
  request_id: string,
  more: readonly string[],
): void {
  if (res.headersSent || res.destroyed) return;
  sendWhole(res, {
    status: error.kind.status,
    headers: [...errorHeaders(error, request_id), ...more],
    body: Buffer.from(JSON.stringify(error.body)),
    // Who is told to go elsewhere is not to come back on this connection.
    closes: error.code === "gateway_draining",
  });
}
