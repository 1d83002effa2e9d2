/**
 * A child process of the bench: the least that a proxy in Node can do, as a standard for the gateway.
 * `forward` pipes; `parse` reads and parses both bodies whole, then passes the original bytes on.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type Dispatcher, Pool } from "undici";
import { listenForBench } from "../machine/listen.ts";

const [mode, upstreamPort] = process.argv.slice(2);
const pool = new Pool(`http://127.0.0.1:${upstreamPort}`, { connections: null, allowH2: false });

const NOT_FORWARDED = new Set(["host", "connection", "keep-alive", "content-length"]);
const NOT_RETURNED = new Set(["connection", "keep-alive", "transfer-encoding"]);

function requestHeaders(request: IncomingMessage): string[] {
  const headers: string[] = [];
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index] ?? "";
    if (!NOT_FORWARDED.has(name.toLowerCase()))
      headers.push(name, request.rawHeaders[index + 1] ?? "");
  }
  return headers;
}

/** What both proxies do with an answer: send its head, and end it when the upstream fails. */
class Relay {
  protected readonly response: ServerResponse;

  constructor(response: ServerResponse) {
    this.response = response;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.response.on("close", () => {
      if (!this.response.writableFinished) controller.abort(new Error("the caller has gone"));
    });
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    const returned: Record<string, string | string[]> = {};
    for (const name in headers) {
      const value = headers[name];
      if (value !== undefined && !NOT_RETURNED.has(name)) returned[name] = value;
    }
    this.response.writeHead(status, returned);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.response.headersSent) this.response.destroy();
    else this.response.writeHead(502).end(error.message);
  }
}

class Forwarding extends Relay implements Dispatcher.DispatchHandler {
  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.response.write(chunk)) {
      controller.pause();
      this.response.once("drain", () => controller.resume());
    }
  }

  onResponseEnd(): void {
    this.response.end();
  }
}

/** A plain answer is parsed when it is complete, a streamed one event by event as it passes. */
class Parsing extends Relay implements Dispatcher.DispatchHandler {
  readonly #chunks: Buffer[] = [];
  #isStream = false;
  #unparsed = "";

  override onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    super.onResponseStart(controller, status, headers);
    this.#isStream = headers["content-type"] === "text/event-stream";
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#isStream) {
      this.#chunks.push(chunk);
      return;
    }
    if (!this.response.write(chunk)) {
      controller.pause();
      this.response.once("drain", () => controller.resume());
    }
    const events = (this.#unparsed + chunk.toString("latin1")).split("\n\n");
    this.#unparsed = events.pop() ?? "";
    for (const event of events) {
      if (event !== "data: [DONE]") JSON.parse(event.slice("data: ".length));
    }
  }

  onResponseEnd(): void {
    if (this.#isStream) {
      this.response.end();
      return;
    }
    const body = joined(this.#chunks);
    JSON.parse(body.toString());
    this.response.end(body);
  }
}

function joined(chunks: readonly Buffer[]): Buffer {
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

function dispatch(request: IncomingMessage, body: IncomingMessage | Buffer, handler: Relay): void {
  const headers = requestHeaders(request);
  headers.push("content-length", request.headers["content-length"] ?? "0");
  pool.dispatch({ path: request.url ?? "/", method: "POST", headers, body }, handler);
}

function parse(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const body = joined(chunks);
    JSON.parse(body.toString());
    dispatch(request, body, new Parsing(response));
  });
}

const server = createServer(
  { requestTimeout: 0, keepAliveTimeout: 75_000 },
  (request, response) => {
    if (mode === "parse") parse(request, response);
    else dispatch(request, request, new Forwarding(response));
  },
);
listenForBench(server);
