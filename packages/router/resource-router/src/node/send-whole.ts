import { headerValue } from "../answer/header-fields.ts";
import { jsonType, plainJson } from "../answer/to-answer.ts";
import type { NodeExchange } from "./node-exchange.ts";
import { writeHead } from "./write-head.ts";

/** A caller that keeps sending a body we do not want: longest silence, and longest in all, in milliseconds. */
const silenceMs = 500;
const maxWaitMs = 10_000;

/**
 * Sends an answer whose body is complete; null: no body.
 * @param headers alternating names and values
 */
export function sendWhole(
  exchange: NodeExchange,
  status: number,
  headers: string[],
  body: string | Uint8Array | null,
): void {
  const { response } = exchange;
  const complete = withLength(exchange, status, headers, body);
  if (exchange.bodyIsCutShort) {
    sendBeforeEndOfRequest(exchange, status, complete, body);
    return;
  }
  writeHead(response, status, complete);
  response.end(body ?? undefined);
}

function withLength(
  { response }: NodeExchange,
  status: number,
  headers: string[],
  body: string | Uint8Array | null,
): string[] {
  // RFC 9110, section 8.6: an answer that cannot have a body does not have a length either.
  if (status === 204 || status === 304) return headers;
  const length = String(body === null ? 0 : Buffer.byteLength(body));
  // The common case: growing the list would take as long as finding the operation.
  if (headers === plainJson) return ["content-type", jsonType, "content-length", length];
  // A wrong length would corrupt every later answer on the connection.
  if (headerValue(headers, "content-length") !== undefined) response.strictContentLength = true;
  else headers.push("content-length", length);
  return headers;
}

/**
 * Closing a connection with unread bytes resets it, and many callers read only after they have sent everything: they
 * would never see the answer. So the answer is sent first, and the connection closed a little later.
 */
function sendBeforeEndOfRequest(
  { request, response }: NodeExchange,
  status: number,
  headers: string[],
  body: string | Uint8Array | null,
): void {
  writeHead(response, status, [...headers, "connection", "close"]);
  response.write(body ?? "");
  const began = performance.now();
  const timer = setTimeout(end, silenceMs);
  function end(): void {
    clearTimeout(timer);
    response.end();
  }
  request.on("data", () => {
    if (performance.now() - began < maxWaitMs) timer.refresh();
  });
  request.once("end", end).once("close", end).resume();
}
