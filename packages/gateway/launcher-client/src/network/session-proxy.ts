import {
  type ClientRequest,
  createServer,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { type Duplex, pipeline } from "node:stream";

/** Of one connection, and not of the message. */
const ofConnection: ReadonlySet<string> = new Set([
  ...["connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding"],
  ...["upgrade", "expect"],
]);

const maxHead = 64 * 1024;
const keepAliveMs = 75_000;

export interface SessionProxy {
  /** Serves a caller's connection. */
  accept(socket: Socket): void;
  /** Ends every connection. */
  close(): void;
}

/**
 * Passes requests for one session's endpoint on to the gateway, and nothing else. Bodies flow as they come, in both
 * directions; one that breaks off on one side is broken off on the other.
 * @param base the session's base URL at the gateway
 */
export function sessionProxy(base: URL): SessionProxy {
  const isHttps = base.protocol === "https:";
  const agent = new (isHttps ? HttpsAgent : HttpAgent)({ keepAlive: true });
  const forward = ({ method, url, headers }: IncomingMessage, own: object): ClientRequest =>
    (isHttps ? httpsRequest : httpRequest)(base, {
      method,
      path: url,
      headers: { ...messageHeaders(headers), ...own },
      agent,
    });

  const server = createServer(
    { requestTimeout: 0, keepAliveTimeout: keepAliveMs, maxHeaderSize: maxHead },
    (request, response) => {
      if (!isInside(request.url, base)) return refuse(response, 404, outside);
      const outgoing = forward(request, {});
      outgoing.once("response", (answer) => {
        response.writeHead(answer.statusCode ?? 502, messageHeaders(answer.headers));
        response.flushHeaders();
        pipeline(answer, response, () => {});
      });
      outgoing.once("error", () => {
        if (response.headersSent) response.destroy();
        else refuse(response, 502, unreachable);
      });
      response.once("close", () => {
        if (!response.writableFinished) outgoing.destroy();
      });
      // An answer may come before the end of the request, which then ends with it.
      pipeline(request, outgoing, () => {});
    },
  );
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => {});
    if (!isInside(request.url, base)) return void socket.end(rawHead(404, {}));
    const { upgrade } = request.headers;
    const outgoing = forward(request, { connection: "Upgrade", upgrade });
    outgoing.once("upgrade", (answer, upstream, first) => {
      socket.write(
        rawHead(101, { ...messageHeaders(answer.headers), connection: "Upgrade", upgrade }),
      );
      socket.write(first);
      upstream.write(head);
      pipeline(socket, upstream, socket, () => {});
    });
    outgoing.once("response", (answer) => {
      socket.write(rawHead(answer.statusCode ?? 502, messageHeaders(answer.headers)));
      pipeline(answer, socket, () => {});
    });
    outgoing.once("error", () => socket.end(rawHead(502, {})));
    socket.once("close", () => outgoing.destroy());
    outgoing.end();
  });
  const sockets = new Set<Socket>();
  return {
    accept: (socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
      server.emit("connection", socket);
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      agent.destroy();
    },
  };
}

const messageHeaders = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !ofConnection.has(name) && name !== "host"),
  );

const outside = {
  message: "Only the session's own endpoint can be reached from here: use llm_base_url.",
  ...{ type: "invalid_request_error", param: null, code: "not_found" },
};

const unreachable = {
  message: "The gateway cannot be reached.",
  ...{ type: "upstream_error", param: null, code: "gateway_unreachable" },
};

function refuse(response: ServerResponse, status: number, error: object): void {
  response.writeHead(status, {
    "content-type": "application/json",
    "x-should-retry": String(status === 502),
  });
  response.end(JSON.stringify({ error }));
}

/** The head of an answer on a connection that ends with it or becomes something else. */
function rawHead(
  status: number,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): string {
  const lines = Object.entries({ connection: "close", ...headers }).flatMap(([name, value = []]) =>
    [value].flat().map((text) => `${name}: ${text}\r\n`),
  );
  return `HTTP/1.1 ${status} ${status === 101 ? "Switching Protocols" : ""}\r\n${lines.join("")}\r\n`;
}

/** A segment that a server may take for "here" or "the folder above", escaped or not. */
const dots = /(?:[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?:[/\\]|%2f|%5c|$)/i;

/**
 * Whether a request's target is below the session's base URL, however a server reads it: an absolute URL, a segment of
 * dots, an empty one and a backslash are not.
 */
export function isInside(target: string | undefined, base: URL): boolean {
  const [path = ""] = (target ?? "").split("?", 1);
  const within = path === base.pathname || path.startsWith(`${base.pathname}/`);
  return within && !dots.test(path) && !/\/\/|\\/.test(path);
}
