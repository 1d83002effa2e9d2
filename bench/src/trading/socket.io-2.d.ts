/** What the bench uses of socket.io 2.5.1, which has no types. */
declare module "socket.io-2" {
  import type { Server } from "node:http";

  namespace createServer {
    interface ServerSocket {
      readonly conn: { readonly id: string; readonly writeBuffer: readonly unknown[] };
      emit(event: string, ...values: readonly unknown[]): void;
      on(event: "disconnect", listener: () => void): void;
    }
    interface SocketServer {
      on(event: "connection", listener: (socket: ServerSocket) => void): void;
    }
    interface Options {
      readonly serveClient?: boolean;
      readonly perMessageDeflate?: boolean;
      readonly pingInterval?: number;
      readonly pingTimeout?: number;
    }
  }
  function createServer(server: Server, options: createServer.Options): createServer.SocketServer;
  export = createServer;
}
