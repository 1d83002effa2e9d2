import type { IncomingMessage, ServerResponse } from "node:http";

/** A caller that keeps sending a body we refused: longest silence, longest in all, in milliseconds. */
const silenceMs = 500;
const maxMs = 10_000;

export interface WholeAnswer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: Uint8Array;
  /** Whether the connection ends with this answer. */
  readonly closes: boolean;
}

/**
 * Sends an answer whose body is complete. If the request's body has not arrived in full, the connection is
 * closed too: a caller that falls silent would otherwise hold it for ever.
 */
export function sendWhole(res: ServerResponse, answer: WholeAnswer): void {
  const { req } = res;
  const { status, body } = answer;
  const rest = comesStill(req);
  const headers = [...answer.headers, "content-length", String(body.byteLength)];
  if (answer.closes || rest) headers.push("connection", "close");
  res.writeHead(status, headers);
  if (!rest) {
    res.end(body);
    return;
  }
  res.write(body);
  endWhenRead(res);
}

/**
 * Ends an answer whose request has not arrived in full. Closing a connection with unread bytes
 * resets it, and many callers read only after they have sent everything: they would never see the answer.
 */
function endWhenRead(res: ServerResponse): void {
  const { req } = res;
  const began = performance.now();
  const timer = setTimeout(end, silenceMs);
  function end(): void {
    clearTimeout(timer);
    res.end();
  }
  req.on("data", () => {
    if (performance.now() - began < maxMs) timer.refresh();
  });
  req.on("error", end).once("end", end).once("close", end).resume();
}

/** Whether part of the request's body has not arrived yet. */
function comesStill(req: IncomingMessage): boolean {
  if (req.complete || req.destroyed) return false;
  const { "content-length": length = "0", "transfer-encoding": coding } = req.headers;
  return coding !== undefined || length !== "0";
}
