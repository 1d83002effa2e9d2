import {
  type ClientRequest,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  request,
  type Server,
} from "node:http";
import { type Duplex, duplexPair } from "node:stream";
import { hopByHopHeaders } from "@proj/gateway-protocol";

const ofUpgrade = new Set([...hopByHopHeaders, "content-length", "content-type", "accept"]);

/**
 * Sends requests to the gateway itself, within the process: a frame is served by the very parts that serve HTTP, with
 * the same checks, limits, rows and errors.
 */
export class InnerRequests {
  readonly #server: Server;

  constructor(listener: RequestListener) {
    // It never listens, so it has no timers of its own: the parts behind it have theirs.
    this.#server = createServer({ requestTimeout: 0, requireHostHeader: false }, listener);
  }

  /**
   * @param upgrade the request of the connection, whose headers every frame has
   * @param own the frame's own headers, which win
   */
  post(upgrade: IncomingMessage, body: Buffer, own: IncomingHttpHeaders): ClientRequest {
    const [near, far] = duplexPair();
    this.#server.emit("connection", asSocket(far, upgrade));
    near.once("close", () => far.destroy());
    const sent = request({
      method: "POST",
      path: upgrade.url ?? "/",
      headers: {
        ...headersOf(upgrade.headers),
        ...own,
        "content-type": "application/json",
        "content-length": body.length,
        accept: "text/event-stream",
        connection: "close",
      },
      createConnection: () => near,
    });
    sent.end(body);
    return sent;
  }
}

const headersOf = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !ofUpgrade.has(name) && !name.startsWith("sec-websocket-"),
    ),
  );

/** The members of a socket that the gateway uses beyond those of a stream. */
function asSocket(side: Duplex, { socket: { remoteAddress } }: IncomingMessage): Duplex {
  const destroySoon = (): void => {
    side.end();
    if (side.writableFinished) side.destroy();
    else side.once("finish", () => side.destroy());
  };
  return Object.assign(side, { destroySoon, remoteAddress });
}
