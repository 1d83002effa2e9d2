import type { Server } from "node:http";
import type { Socket } from "node:net";

/** @returns a function that ends all of the server's connections at once, including WebSockets */
export function trackSockets(server: Server): () => void {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}
