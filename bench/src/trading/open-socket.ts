import connectSocket from "socket.io-client";
import { TOKEN } from "./trading-protocol.ts";

/**
 * Plain socket.io-client 2.5.0, over the WebSocket that the trading client has too (`ws`; Node's own
 * is slower).
 * @throws Error there was no connection in time
 */
export async function openSocket(url: string): Promise<SocketIOClient.Socket> {
  const options = {
    query: { access_token: TOKEN },
    transports: ["websocket"],
    transportOptions: { websocket: { forceNode: true } },
    forceNew: true,
    reconnection: false,
    timeout: 10_000,
  };
  const socket = connectSocket(url, options);
  await new Promise<void>((resolve, reject) => {
    socket.on("connect", resolve);
    socket.on("connect_error", reject);
    socket.on("connect_timeout", () => reject(new Error(`no connection to ${url} in 10000 ms`)));
  });
  return socket;
}
