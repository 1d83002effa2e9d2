import type { IncomingMessage, ServerResponse } from "node:http";

/** How long who goes on sending a body that nobody wants may be silent, and may go on in all. */
const silenceMs = 500;
const longestMs = 10_000;

export interface WholeAnswer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: Uint8Array;
  /** Whether the connection ends with this answer. */
  readonly closes: boolean;
}

/**
 * Sends an answer whose body is whole. Where the request is not, as it was answered before its
 * body had come, the connection ends as well: its silence would otherwise hold it for ever.
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
  // To close with unread bytes resets the connection, and many callers read only after they have
  // sent all: they would never see the answer.
  const began = performance.now();
  const timer = setTimeout(end, silenceMs);
  function end(): void {
    clearTimeout(timer);
    res.end();
  }
  req.on("data", () => {
    if (performance.now() - began < longestMs) timer.refresh();
  });
  req.on("error", end).once("end", end).once("close", end).resume();
}

/** Whether a part of the request's body has not come yet. */
function comesStill(req: IncomingMessage): boolean {
  if (req.complete || req.destroyed) return false;
  const { "content-length": length = "0", "transfer-encoding": coding } = req.headers;
  return coding !== undefined || length !== "0";
}
