import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { TimeoutsConfig } from "@proj/gateway-protocol";
import { GatewayError } from "../errors/gateway-error.ts";
import { maxFileDescriptors, openFileDescriptors } from "../metrics/file-descriptors.ts";
import { answerSocket } from "./error-reply.ts";

/** Limit for a request's headers, in bytes; beyond it: 431. */
const maxHeaderBytes = 32 * 1024;
/** A connection silent for this many milliseconds is probed by the system: is its peer still there? */
const probeMs = 15_000;
/** Longest interval between checks for overdue headers, in milliseconds. */
const maxCheckMs = 1_000;

export interface HttpServerOptions {
  readonly timeouts: Pick<TimeoutsConfig, "caller_headers_s" | "caller_keep_alive_s">;
  readonly connections: CallerConnections;
  /** Which offered upgrades the server's `upgrade` event gets; other offers are ignored. */
  readonly takesUpgrade: (req: IncomingMessage) => boolean;
}

/** Node's server with the configured time-outs; requests that it cannot parse get errors in our form. */
export function createHttpServer(listener: RequestListener, options: HttpServerOptions): Server {
  const { connections, takesUpgrade, timeouts } = options;
  const headersMs = 1_000 * timeouts.caller_headers_s;
  const latest = new WeakMap<Duplex, LatestAnswer>();
  /** Connections that sent something other than HTTP: the rest of their input is ignored. */
  const broken = new WeakSet<Duplex>();
  const server = createServer({
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: headersMs,
    // Node's default interval is as long as its time-out, so that headers could take twice the time-out.
    connectionsCheckingInterval: Math.min(maxCheckMs, Math.ceil(headersMs / 4)),
    // Bodies have their own time-outs.
    requestTimeout: 0,
    keepAliveTimeout: 1_000 * timeouts.caller_keep_alive_s,
    noDelay: true,
    // Nothing is sent on the connection of a call that waits for minutes, and devices in between drop those.
    keepAlive: true,
    keepAliveInitialDelay: probeMs,
    // OriginCheck does it, and answers in our form.
    requireHostHeader: false,
    shouldUpgradeCallback: takesUpgrade,
  });
  connections.watch(server);
  const serve = (req: IncomingMessage, res: ServerResponse): void => {
    keepWhileOpen(latest, req.socket, res);
    if (connections.isBeyond(req.socket)) {
      answerSocket(req.socket, tooMany());
      return;
    }
    listener(req, res);
  };
  server.on("request", serve);
  // readBody answers `100 Continue`; a refusal does not.
  server.on("checkContinue", serve);
  // Other expectations are ignored (RFC 9110, section 10.1.1).
  server.on("checkExpectation", serve);
  server.on("connect", (_req, socket) => {
    socket.on("error", () => {});
    answerSocket(socket, new GatewayError("invalid_request", "The gateway does not open tunnels."));
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    if (broken.has(socket)) return;
    broken.add(socket);
    const answer = (): void => answerSocket(socket, asRequestError(error));
    const last = latest.get(socket)?.answer ?? null;
    if (last === null || last.writableFinished) answer();
    // The error is in that request or after it. It cuts off no answer in progress: that one is sent first.
    else if (last.req.complete) last.once("finish", answer);
    else if (last.headersSent) socket.destroy();
    else if (last.socket === null) last.once("socket", answer);
    else answer();
  });
  return server;
}

/** The answer to the last request of a connection; null once it is closed. */
interface LatestAnswer {
  answer: ServerResponse | null;
}

/**
 * A closed answer is dropped at once: kept until the next request, it would get into V8's old space, together
 * with everything it refers to. With small bodies that took a third of the gateway's CPU.
 */
function keepWhileOpen(
  latest: WeakMap<Duplex, LatestAnswer>,
  socket: Duplex,
  res: ServerResponse,
): void {
  let place = latest.get(socket);
  if (place === undefined) {
    place = { answer: res };
    latest.set(socket, place);
  } else place.answer = res;
  const kept = place;
  res.on("close", () => {
    if (kept.answer === res) kept.answer = null;
  });
}

const tooMany = (): GatewayError =>
  new GatewayError(
    "overloaded",
    "The gateway has reached its limit of connections (max_connections). Try again.",
    { retryAfterMs: 1_000 },
  );

function asRequestError(error: NodeJS.ErrnoException): GatewayError {
  switch (error.code) {
    case "HPE_HEADER_OVERFLOW":
      return new GatewayError(
        "headers_too_large",
        `The request's headers are larger than ${maxHeaderBytes} bytes.`,
      );
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new GatewayError("request_timeout", "The request's headers did not arrive in time.");
    default:
      return new GatewayError("invalid_request", "The request is not valid HTTP/1.1.");
  }
}

/** Beyond the limit, this many connections get an error answer; further ones are closed without one. */
const maxTold = 64;
/** How long a connection beyond the limit may take to send its request, which is refused, in milliseconds. */
const tellMs = 1_000;

/** Callers' connections: counted, and limited so that each can have one to an upstream. */
export class CallerConnections {
  /** Counted since the start. */
  accepted = 0;
  /** Closed because there were too many, with or without a 503. */
  dropped = 0;
  readonly #open = new Set<Socket>();
  readonly #beyond = new Set<Socket>();
  #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get open(): number {
    return this.#open.size + this.#beyond.size;
  }

  /** Whether the connection's requests are refused. */
  isBeyond(socket: Socket): boolean {
    return this.#beyond.has(socket);
  }

  watch(server: Server): void {
    server.on("listening", () => {
      this.#limit = Math.min(this.#limit, descriptorsForCallers());
      server.maxConnections = this.#limit + maxTold;
    });
    server.on("drop", () => {
      this.dropped += 1;
    });
    server.on("connection", (socket: Socket) => {
      const isBeyond = this.#open.size >= this.#limit;
      const among = isBeyond ? this.#beyond : this.#open;
      among.add(socket);
      socket.once("close", () => among.delete(socket));
      if (!isBeyond) this.accepted += 1;
      else {
        this.dropped += 1;
        setTimeout(() => socket.destroy(), tellMs).unref();
      }
    });
  }
}

/** Half of what is left: every request may need its own connection to an upstream. */
function descriptorsForCallers(): number {
  const most = maxFileDescriptors();
  const open = openFileDescriptors();
  if (most === null || open === null) return Number.POSITIVE_INFINITY;
  return Math.max(1, Math.floor((most - open - maxTold) / 2));
}
