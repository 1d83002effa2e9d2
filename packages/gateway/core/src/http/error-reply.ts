import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { ErrorCode } from "@proj/gateway-protocol";
import type { Endpoint } from "@proj/model-apis";
import { createTimeOrderedId } from "@proj/session-store";
import type { GatewayError } from "../errors/gateway-error.ts";
import { gatewayTime, requestIdHeaders } from "./answer-head.ts";
import { sendWhole } from "./whole-answer.ts";

/** A caller that is sent elsewhere, or to another protocol, must not reuse this connection. */
const endsConnection: ReadonlySet<ErrorCode> = new Set([
  "gateway_draining",
  "websocket_not_supported",
]);

/** An error's headers as names and values in turn, docs/interfaces.md, "Gateway: bodies". */
function errorHeaders(
  error: GatewayError,
  request_id: string,
  endpoint: Endpoint | null,
): string[] {
  const headers = [
    "content-type",
    "application/json",
    ...requestIdHeaders(endpoint, request_id),
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
 * Answers with an error; does nothing if an answer has begun.
 * @param more further headers, names and values in turn
 * @param endpoint the requested API, which decides the body's form; null: none
 */
export function replyError(
  res: ServerResponse,
  error: GatewayError,
  request_id: string,
  more: readonly string[],
  endpoint: Endpoint | null = null,
): void {
  if (res.headersSent || res.destroyed) return;
  sendWhole(res, {
    status: error.kind.status,
    headers: [...errorHeaders(error, request_id, endpoint), ...more],
    body: Buffer.from(JSON.stringify(endpoint?.errorBody(error, request_id) ?? error.body)),
    closes: endsConnection.has(error.code),
  });
}

/** Answers a request whose connection has left the HTTP server, and ends the connection. */
export function answerSocket(socket: Duplex, error: GatewayError): void {
  const { status } = error.kind;
  const body = JSON.stringify(error.body);
  const headers = errorHeaders(error, createTimeOrderedId(), null);
  headers.push("server-timing", gatewayTime(0));
  headers.push("content-length", String(Buffer.byteLength(body)), "connection", "close");
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`];
  for (let index = 0; index < headers.length; index += 2)
    lines.push(`${headers[index]}: ${headers[index + 1]}`);
  // A peer that keeps sending would otherwise keep the connection open.
  socket.once("finish", () => socket.destroy());
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
}
