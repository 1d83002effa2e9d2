import {
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Duplex } from "node:stream";
import { Server } from "socket.io";
import type { Faults } from "../faults/faults.ts";
import type { PaperMarket } from "../market/paper-market.ts";
import { failed } from "../wire/answers.ts";
import { AccountAccess } from "./account-access.ts";
import { answerInBinary } from "./binary-payload.ts";
import { Connection } from "./connection.ts";
import type { ConnectionLimits } from "./connection-limits.ts";
import type { Connections } from "./connections.ts";
import type { EngineSocket } from "./engine-socket.ts";
import type { Tokens } from "./tokens.ts";

export interface SocketServerParts {
  readonly http: HttpServer;
  readonly connections: Connections;
  readonly tokens: Tokens;
  readonly market: PaperMarket;
  readonly limits: ConnectionLimits;
  readonly faults: Faults;
  readonly log: (message: string) => void;
}

/** Largest message from a client; clients send only the protocol's own packets. */
const maxMessageBytes = 16_384;

/** Milliseconds between OPEN and CONNECT. */
const connectDelayMs = 100;

interface Rejection {
  readonly status: 403 | 503;
  readonly message: string;
}

/** Serves Socket.IO to clients of protocol revisions EIO 3 and 4. */
export function attachSocketServer(parts: SocketServerParts): Server {
  const { http, connections, tokens, market, limits, faults, log } = parts;
  const tokenOf = (request: IncomingMessage): number | null =>
    tokens.find(queryOf(request).get("access_token") ?? "");
  const refusalOf = (request: IncomingMessage): Rejection | null => {
    // Requests of an existing connection, which Engine.IO checks.
    if (queryOf(request).has("sid")) return null;
    if (tokenOf(request) === null) return { status: 403, message: "The token is not valid" };
    return connections.size < limits.connections
      ? null
      : { status: 503, message: "There are too many connections" };
  };

  // Before Engine.IO, which refuses upgrades without a status.
  http.on("upgrade", (request: IncomingMessage, socket: Duplex) => {
    const refusal = refusalOf(request);
    if (refusal === null) return;
    const head = `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`;
    socket.end(`${head}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  });

  const io = new Server(http, {
    allowEIO3: true,
    pingInterval: 25_000,
    pingTimeout: 60_000,
    maxHttpBufferSize: maxMessageBytes,
    perMessageDeflate: false,
    httpCompression: false,
  });
  // Clients of EIO 3 may listen for CONNECT only once they are open: a network and the original service's check of the
  // token leave them time for it.
  io.use((socket, next) => {
    if (socket.conn.protocol === 3) setTimeout(next, connectDelayMs);
    else next();
  });
  io.engine.use((request: IncomingMessage, response: ServerResponse, next: () => void) => {
    const refusal = refusalOf(request);
    if (refusal === null) {
      if (request.method === "GET") answerInBinary(queryOf(request), response);
      return next();
    }
    response.writeHead(refusal.status, { "content-type": "application/json" });
    response.end(JSON.stringify(failed(refusal.message)));
  });
  io.engine.on("connection", (socket: EngineSocket) => {
    const token = tokenOf(socket.request);
    if (token === null) return void socket.close(true);
    const account = tokens.accountOf(token);
    const access = account === null ? null : new AccountAccess(market, account);
    connections.add(new Connection({ socket, token, access, limits, faults, log }));
    log(`a client connected (${connections.size} now)`);
    socket.on("close", (reason: string) => {
      connections.delete(socket.id);
      log(`a client disconnected: ${reason} (${connections.size} now)`);
    });
  });
  return io;
}

function queryOf({ url = "" }: IncomingMessage): URLSearchParams {
  const start = url.indexOf("?");
  return new URLSearchParams(start < 0 ? "" : url.slice(start));
}
