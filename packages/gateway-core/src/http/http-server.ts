import { randomUUID } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import type { Duplex } from "node:stream";
import { GatewayError } from "../gateway-error.ts";
import { errorHeaders } from "./error-reply.ts";

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
  const server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: headersTimeoutMs,
      // A body's own time-out is about its silence, not about its length.
      requestTimeout: 0,
      keepAliveTimeout: options.keepAliveMs,
      noDelay: true,
    },
    listener,
  );
  server.on("clientError", answerClientError);
  return server;
}

function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const answered = asRequestError(error);
  const body = JSON.stringify(answered.body);
  const headers = errorHeaders(answered, randomUUID());
  headers.push("content-length", String(Buffer.byteLength(body)), "connection", "close");
  const lines = [
    `HTTP/1.1 ${answered.kind.status} ${reasonPhrases[answered.kind.status] ?? "Error"}`,
  ];
  for (let index = 0; index < headers.length; index += 2)
    lines.push(`${headers[index]}: ${headers[index + 1]}`);
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
  // Who goes on sending would otherwise keep the connection open.
  socket.once("finish", () => socket.destroy());
}

const reasonPhrases: Readonly<Record<number, string>> = {
  400: "Bad Request",
  408: "Request Timeout",
  431: "Request Header Fields Too Large",
};

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
