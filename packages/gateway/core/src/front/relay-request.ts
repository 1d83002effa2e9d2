import type { IncomingMessage, ServerResponse } from "node:http";
import { hopByHopHeaders } from "@proj/gateway-protocol";
import { createTimeOrderedId } from "@proj/session-store";
import type { Dispatcher } from "undici";
import { GatewayError } from "../errors/gateway-error.ts";
import { replyError } from "../http/error-reply.ts";
import { awaitsContinue } from "../http/read-body.ts";
import { comesStill, endWhenRead } from "../http/whole-answer.ts";
import { namedInConnection } from "../upstream/named-in-connection.ts";
import type { FrontWorker } from "./worker-pools.ts";

/** A body of at most this many bytes may be sent in one piece with its head. */
const smallBody = 64 * 1024;

/** Sends a request to a worker unchanged, and its answer back. */
export function relayRequest(
  worker: FrontWorker,
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
): void {
  const { "content-length": length = "0", "transfer-encoding": coding } = req.headers;
  if (awaitsContinue(req)) res.writeContinue();
  const send = (body: IncomingMessage | Buffer | null): void => {
    const method = (req.method ?? "GET") as Dispatcher.HttpMethod;
    const options = { path, method, headers: forwardedHeaders(req), body };
    try {
      worker.pool.dispatch(options, new AnswerRelay(req, res));
    } catch (error) {
      replyUnreachable(res, error);
    }
  };
  if (coding !== undefined || Number(length) > smallBody) send(req);
  else if (length === "0") send(null);
  else sendWhenRead(req, send);
}

/** Sends a body in one piece if it arrived with its head, otherwise piece by piece as it arrives. */
function sendWhenRead(req: IncomingMessage, send: (body: IncomingMessage | Buffer) => void): void {
  const chunks: Buffer[] = [];
  let isWhole = false;
  const take = (chunk: Buffer): void => void chunks.push(chunk);
  const end = (): void => {
    isWhole = true;
    const [first] = chunks;
    send(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks));
  };
  req.on("data", take).once("end", end);
  setImmediate(() => {
    if (isWhole) return;
    req.off("data", take).off("end", end).pause();
    if (chunks.length > 0) req.unshift(Buffer.concat(chunks));
    send(req);
  });
}

const hopByHop: ReadonlySet<string> = new Set(hopByHopHeaders);
const notForwarded: ReadonlySet<string> = new Set([...hopByHopHeaders, "expect", "host"]);

/** Names and values in turn, without the headers about the caller's own connection. */
export function forwardedHeaders(req: IncomingMessage): string[] {
  const { rawHeaders } = req;
  const named = namedInConnection(req.headers.connection);
  const headers: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    const lower = name.toLowerCase();
    if (!notForwarded.has(lower) && !named?.includes(lower))
      headers.push(name, rawHeaders[index + 1] ?? "");
  }
  // A target that was an absolute URL named a host other than the header's.
  if (req.headers.host !== undefined) headers.push("host", req.headers.host);
  return headers;
}

/** Nothing was answered, so the caller may retry; another worker then has the session. */
export function workerGone(cause?: unknown): GatewayError {
  return new GatewayError(
    "overloaded",
    "The worker that serves this request is gone, and another is taking its place. Try again.",
    { retryAfterMs: 1_000, cause },
  );
}

function replyUnreachable(res: ServerResponse, cause: unknown): void {
  replyError(res, workerGone(cause), createTimeOrderedId(), []);
}

class AnswerRelay implements Dispatcher.DispatchHandler {
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;

  constructor(req: IncomingMessage, res: ServerResponse) {
    this.#req = req;
    this.#res = res;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const leave = (): void => {
      if (!this.#res.writableFinished) controller.abort(new Error("The caller has gone."));
    };
    if (this.#res.closed) leave();
    else this.#res.once("close", leave);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
    statusMessage?: string,
  ): void {
    if (status < 200 || this.#res.headersSent) return;
    const returned: Record<string, string | string[]> = {};
    for (const name in headers) {
      const value = headers[name];
      if (value !== undefined && !hopByHop.has(name)) returned[name] = value;
    }
    // As the worker does: it will not read the rest either.
    if (comesStill(this.#req)) returned.connection = "close";
    this.#res.writeHead(status, statusMessage, returned);
    // The head is sent with the body's first bytes if they are already there, otherwise at once.
    setImmediate(() => {
      if (!this.#res.writableEnded) this.#res.flushHeaders();
    });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#res.write(chunk)) return;
    controller.pause();
    this.#res.once("drain", () => controller.resume());
  }

  onResponseEnd(): void {
    endWhenRead(this.#res);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#res.headersSent) this.#res.destroy();
    else replyUnreachable(this.#res, error);
  }
}
