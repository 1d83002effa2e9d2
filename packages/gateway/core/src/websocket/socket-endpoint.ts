import type { IncomingMessage, RequestListener, Server } from "node:http";
import type { Duplex } from "node:stream";
import { parseSessionId } from "@proj/gateway-protocol";
import { WebSocketServer } from "ws";
import {
  asGatewayError,
  GatewayError,
  gatewayDraining,
  websocketNotSupported,
} from "../errors/gateway-error.ts";
import { answerSocket } from "../http/error-reply.ts";
import type { GatewayParts } from "../http/gateway-parts.ts";
import {
  createModelPathMatcher,
  invalidSessionId,
  type ModelPath,
  pathnameOf,
} from "../http/paths.ts";
import { bodyPace } from "../http/read-body.ts";
import { FrameArrival } from "./frame-arrival.ts";
import { InnerRequests } from "./inner-requests.ts";
import { ResponsesSocket } from "./responses-socket.ts";

/** Connections of one session. */
const maxConnections = 16;

export interface SocketEndpointOptions extends GatewayParts {
  readonly listener: RequestListener;
  /** How long a connection may live, in milliseconds. @default an hour */
  readonly lifetimeMs?: number | undefined;
}

/** Serves the Responses API over WebSockets: every frame is a request to the gateway itself. */
export class SocketEndpoint {
  readonly #options: SocketEndpointOptions;
  readonly #match: (pathname: string) => ModelPath | null;
  readonly #inner: InnerRequests;
  readonly #sockets: WebSocketServer;
  /** For callers with a session key. */
  readonly #keySockets: WebSocketServer;
  readonly #open = new Map<string, Set<ResponsesSocket>>();

  constructor(options: SocketEndpointOptions) {
    this.#options = options;
    const { base_session_path, max_body_bytes, session_key_limits } = options.config;
    this.#match = createModelPathMatcher(base_session_path);
    this.#inner = new InnerRequests(options.listener);
    this.#sockets = socketServer(max_body_bytes);
    this.#keySockets = socketServer(Math.min(max_body_bytes, session_key_limits.max_body_bytes));
  }

  /** Whether the request asks for such a connection; anything else that it offers is ignored. */
  readonly takes = (req: IncomingMessage): boolean =>
    req.method === "GET" &&
    req.headers.upgrade?.toLowerCase() === "websocket" &&
    this.#pathOf(req) !== null;

  /** Serves a server's upgrades, which come for requests that it takes. */
  serve(server: Server): void {
    if (!maySelectUpgrades) return;
    server.on("upgrade", (req, socket: Duplex, head: Buffer) => {
      socket.on("error", () => {});
      try {
        this.#accept(req, socket, head);
      } catch (error) {
        answerSocket(socket, asGatewayError(error));
      }
    });
  }

  /** Lets every connection end when nothing on it is being answered. */
  end(): void {
    for (const sockets of this.#open.values()) for (const socket of sockets) socket.end();
  }

  #pathOf(req: IncomingMessage): ModelPath | null {
    const path = this.#match(pathnameOf(req.url ?? "/"));
    return path?.endpoint.name === "responses" ? path : null;
  }

  #accept(req: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { access, config, originCheck, readiness, routes, shares, ...options } = this.#options;
    const segment = this.#pathOf(req)?.session_segment ?? null;
    const session_id = segment === null ? null : parseSessionId(segment);
    originCheck.check(req);
    if (readiness.ending.aborted) throw gatewayDraining();
    if (segment !== null && session_id === null) throw invalidSessionId();
    const { scope } = access.authenticate(req, session_id);
    if (!routes.servesWebsockets) throw websocketNotSupported();
    const key = session_id ?? "";
    const open = this.#open.get(key) ?? new Set();
    if (session_id !== null && open.size >= maxConnections)
      throw new GatewayError(
        "rate_limited",
        `Session '${session_id}' has ${maxConnections} WebSockets already.`,
        { retryAfterMs: 1_000 },
      );
    const share = session_id === null || scope === null ? null : shares.connect(session_id, scope);
    socket.once("close", () => share?.leave());
    const buffered = share?.buffered ?? options.buffered;
    const sockets = share === null ? this.#sockets : this.#keySockets;
    sockets.handleUpgrade(req, socket, head, (ws) => {
      new FrameArrival(ws, socket, bodyPace(config), buffered);
      const served = new ResponsesSocket(ws, {
        routes,
        ask: (body, { headers }) => this.#inner.post(req, body, headers),
        hasSession: session_id !== null,
        maxFrameBytes: config.max_body_bytes,
        ...(options.lifetimeMs === undefined ? {} : { lifetimeMs: options.lifetimeMs }),
        check: () => share?.checkRate(),
        admit: () => {
          // The key may have expired since.
          access.authenticate(req, session_id);
          share?.spend();
        },
        hold: (bytes) => {
          buffered.checkRoom(bytes);
          const lease = buffered.lease();
          lease.grow(bytes);
          return () => lease.release();
        },
      });
      this.#open.set(key, open.add(served));
      ws.once("close", () => {
        open.delete(served);
        if (open.size === 0) this.#open.delete(key);
      });
    });
  }
}

const socketServer = (maxPayload: number): WebSocketServer =>
  new WebSocketServer({
    ...{ noServer: true, clientTracking: false, perMessageDeflate: false },
    maxPayload,
  });

/**
 * Whether Node asks which of the offered upgrades to take (24.9, 22.21). Without that, a server that takes WebSockets
 * would have to take every other upgrade too, such as curl's `h2c`.
 */
const maySelectUpgrades: boolean = selects(process.versions.node);

function selects(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major === 22) return minor >= 21;
  return major > 24 || (major === 24 && minor >= 9);
}
