/**
 * A child process of the bench: plain socket.io 2.5.1, which pushes a recording to every client
 * and answers only the requests that a client needs to subscribe.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import createSocketServer from "socket.io-2";
import { recordPushes } from "./bench-market.ts";
import { type ServerOrder, SYMBOLS } from "./trading-protocol.ts";

const isOfPrices = process.argv[2] === "prices";
const recording = recordPushes(20_000);
const pushes = recording.pushes.filter(([event]) => !isOfPrices || SYMBOLS.includes(event));
const http = createServer((request, response) => {
  request.resume();
  response.setHeader("content-type", "application/json");
  const content = request.url?.includes("get_model") === true ? recording.snapshot : { pairs: [] };
  response.end(JSON.stringify({ response: { executed: true, error: "" }, ...content }));
});
const sockets = new Set<createSocketServer.ServerSocket>();
const io = createSocketServer(http, {
  serveClient: false,
  perMessageDeflate: false,
  pingInterval: 25_000,
  pingTimeout: 60_000,
});
io.on("connection", (socket) => {
  sockets.add(socket);
  socket.on("disconnect", () => sockets.delete(socket));
});

let isPushing = false;
let at = 0;
process.on("message", (order: ServerOrder) => {
  const wasPushing = isPushing;
  isPushing = order.isPushing;
  // Clients get the snapshot of the recording's beginning.
  at = 0;
  if (isPushing && !wasPushing) pushSome();
});

/** Waits if a client does not keep up. */
function pushSome(): void {
  if (!isPushing) return;
  const isReady = [...sockets].every(({ conn }) => conn.writeBuffer.length < 256);
  for (let count = 0; isReady && count < 64; count += 1) {
    const [event = "", json = ""] = pushes[at] ?? [];
    at = (at + 1) % pushes.length;
    for (const socket of sockets) socket.emit(event, json);
  }
  setImmediate(pushSome);
}

process.on("SIGTERM", () => process.exit(0));
http.listen(0, "127.0.0.1");
await once(http, "listening");
const { port } = http.address() as AddressInfo;
process.send?.({ port });
