import { connect, createServer, type Socket } from "node:net";
import { listen } from "./listen.ts";

export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
  /** Resets every connection, and every new one until `mend`. */
  cut(): void;
  /** @param targetPort where new connections lead from now on. @default where they led before */
  mend(targetPort?: number): void;
}

/** Passes connections on to a port of 127.0.0.1; stands in for a network that can be cut. */
export async function startTcpProxy(firstTargetPort: number): Promise<TcpProxy> {
  const open = new Set<Socket>();
  let targetPort = firstTargetPort;
  let isCut = false;
  const server = createServer((socket) => {
    socket.on("error", () => {});
    if (isCut) {
      socket.resetAndDestroy();
      return;
    }
    const target = connect(targetPort, "127.0.0.1");
    target.on("error", () => {});
    open.add(socket);
    socket.once("close", () => {
      open.delete(socket);
      target.destroy();
    });
    target.once("close", () => socket.destroy());
    socket.pipe(target).pipe(socket);
  });
  const { port, close } = await listen(server);
  return {
    port,
    cut: () => {
      isCut = true;
      for (const socket of open) socket.resetAndDestroy();
    },
    mend: (port = targetPort) => {
      targetPort = port;
      isCut = false;
    },
    [Symbol.asyncDispose]: close,
  };
}
