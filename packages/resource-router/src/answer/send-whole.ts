import type { Exchange } from "../exchange/exchange.ts";
import { hasHeader } from "./header-fields.ts";

/** How long a caller whose body is not wanted may be silent, and may go on, in milliseconds. */
const silenceMs = 500;
const longestMs = 10_000;

/**
 * Sends an answer whose body is whole; null: it has none.
 * @param headers names and values in turn
 */
export function sendWhole(
  exchange: Exchange,
  status: number,
  headers: string[],
  body: string | Uint8Array | null,
): void {
  // One that is given and wrong would shift every later answer on the connection.
  if (hasHeader(headers, "content-length")) exchange.response.strictContentLength = true;
  // RFC 9110, section 8.6: an answer that cannot have a body has no length either.
  else if (status !== 204 && status !== 304)
    headers.push("content-length", String(body === null ? 0 : Buffer.byteLength(body)));
  write(exchange, status, headers, body);
}

/** Writes an answer whose headers are complete. */
export function write(
  exchange: Exchange,
  status: number,
  headers: string[],
  body: string | Uint8Array | null,
): void {
  if (exchange.bodyIsCutShort) {
    sendBeforeEndOfRequest(exchange, status, headers, body);
    return;
  }
  const { response } = exchange;
  response.writeHead(status, headers);
  response.end(body ?? undefined);
}

/**
 * To close with unread bytes resets the connection, and many callers read only after they have sent
 * all: they would never see the answer. So it is sent, and the connection closed somewhat later.
 */
function sendBeforeEndOfRequest(
  { request, response }: Exchange,
  status: number,
  headers: string[],
  body: string | Uint8Array | null,
): void {
  response.writeHead(status, [...headers, "connection", "close"]);
  response.write(body ?? "");
  const began = performance.now();
  const timer = setTimeout(end, silenceMs);
  function end(): void {
    clearTimeout(timer);
    response.end();
  }
  request.on("data", () => {
    if (performance.now() - began < longestMs) timer.refresh();
  });
  request.once("end", end).once("close", end).resume();
}
