import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Duplex } from "node:stream";
import { GatewayError } from "../gateway-error.ts";
import { errorHeaders } from "./error-reply.ts";
import { createRequestId } from "./request-id.ts";
import { gatewayTime } from "./server-timing.ts";

/** Room for the headers of a request, in bytes; beyond: 431. */
const maxHeaderBytes = 32 * 1024;
/** How long a request's headers may take, in milliseconds. */
const headersTimeoutMs = 30_000;

export interface HttpServerOptions {
  /** How long an idle connection of a caller stays open, in milliseconds. */
  readonly keepAliveMs: number;
}

/** Node's server with the time-outs of the configuration; what it cannot parse is told in our form. */
export function createHttpServer(listener: RequestListener, options: HttpServerOptions): Server {
  /** The last request of each connection, and the answer to it. */
  const latest = new WeakMap<Duplex, ServerResponse>();
  const server = createServer({
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: headersTimeoutMs,
    // A body's own time-out is about its silence, not about its length.
    requestTimeout: 0,
    keepAliveTimeout: options.keepAliveMs,
    noDelay: true,
    // The listener asks for it, and answers in our form.
    requireHostHeader: false,
  });
  const serve = (req: IncomingMessage, res: ServerResponse): void => {
    latest.set(req.socket, res);
    listener(req, res);
  };
  server.on("request", serve);
  // Whoever reads a body says first that it is to come; who refuses it, does not.
  server.on("checkContinue", serve);
  // What else a caller expects is no condition of its request (RFC 9110, section 10.1.1).
  server.on("checkExpectation", serve);
  server.on("connect", (_req, socket) => {
    socket.on("error", () => {});
    answerSocket(socket, new GatewayError("invalid_request", "The gateway opens no tunnels."));
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const last = latest.get(socket);
    const awaited = last === undefined || last.writableFinished || isRefusable(last);
    if (error.code === "ECONNRESET" || !socket.writable || !awaited) socket.destroy();
    else answerSocket(socket, asRequestError(error));
  });
  return server;
}

/**
 * Whether an error in what a connection brings is the answer to its last request: it is where that
 * request's turn has come, it is not whole, and nothing was answered yet. Otherwise the caller
 * would take the error for the answer to another, or for a part of one.
 */
function isRefusable(res: ServerResponse): boolean {
  return res.socket !== null && !res.req.complete && !res.headersSent;
}

function answerSocket(socket: Duplex, error: GatewayError): void {
  const { status } = error.kind;
  const body = JSON.stringify(error.body);
  const headers = errorHeaders(error, createRequestId());
  headers.push("server-timing", gatewayTime(0));
  headers.push("content-length", String(Buffer.byteLength(body)), "connection", "close");
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`];
  for (let index = 0; index < headers.length; index += 2)
    lines.push(`${headers[index]}: ${headers[index + 1]}`);
  // Who goes on sending would otherwise keep the connection open.
  socket.once("finish", () => socket.destroy());
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
}

function asRequestError(error: NodeJS.ErrnoException): GatewayError {
  switch (error.code) {
    case "HPE_HEADER_OVERFLOW":
      return new GatewayError(
        "headers_too_large",
        `The request's headers are larger than ${maxHeaderBytes} bytes.`,
      );
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new GatewayError("request_timeout", "The request's headers did not come in time.");
    default:
      return new GatewayError("invalid_request", "The request is no valid HTTP/1.1.");
  }
}
