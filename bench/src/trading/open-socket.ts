import connectSocket from "socket.io-client";
import { TOKEN } from "./trading-protocol.ts";

/** The same WebSocket as the trading client's: the package `ws`. */
const overWs = {
  transports: ["websocket"],
  transportOptions: { websocket: { forceNode: true } },
};

/**
 * Plain socket.io-client 2.5.0, over the package `ws`.
 * @throws Error there was no connection in time
 */
export function openSocket(url: string): Promise<SocketIOClient.Socket> {
  return open(url, overWs);
}

/**
 * Likewise with its defaults: it polls first, and then takes Node's own WebSocket if there is one.
 * @throws Error there was no connection in time
 */
export function openSocketAsItComes(url: string): Promise<SocketIOClient.Socket> {
  return open(url, {});
}

async function open(
  url: string,
  transport: SocketIOClient.ConnectOpts,
): Promise<SocketIOClient.Socket> {
  const socket = connectSocket(url, {
    ...transport,
    query: { access_token: TOKEN },
    forceNew: true,
    reconnection: false,
    timeout: 10_000,
  });
  await new Promise<void>((resolve, reject) => {
    socket.on("connect", resolve);
    socket.on("connect_error", reject);
    socket.on("connect_timeout", () => reject(new Error(`no connection to ${url} in 10000 ms`)));
  });
  return socket;
}
