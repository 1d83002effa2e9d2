import type { Server } from "node:net";

/** A server in a child process of the bench: on a free port of loopback, which it reports, until the bench ends. */
export function listenForBench(server: Server): void {
  server.listen({ port: 0, host: "127.0.0.1", backlog: 2048 }, () => {
    const address = server.address();
    if (address !== null && typeof address !== "string") process.send?.({ port: address.port });
  });
  process.on("disconnect", () => process.exit());
}
