/**
 * Loaded before Portkey's own code, which would listen on all interfaces and not report its port: its
 * server listens on loopback and tells the bench its port.
 */
import { Server } from "node:net";

const listen = Server.prototype.listen;

function listenOnLoopback(this: Server, ...given: unknown[]): Server {
  const callback = given.find((argument) => typeof argument === "function");
  this.once("listening", () => {
    const address = this.address();
    if (address !== null && typeof address !== "string") process.send?.({ port: address.port });
    callback?.call(this);
  });
  return listen.call(this, { port: 0, host: "127.0.0.1", backlog: 2048 });
}

Object.assign(Server.prototype, { listen: listenOnLoopback });
process.on("disconnect", () => process.exit());
