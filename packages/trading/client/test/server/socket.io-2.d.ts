/** The parts of socket.io 2.5.1, which has no types, that the fixture uses. */
declare module "socket.io-2" {
  import type { IncomingMessage, Server } from "node:http";

  namespace createServer {
    interface EngineSocket {
      close(discard?: boolean): void;
      /** Sends a raw message. */
      write(message: string): void;
    }
    interface ServerSocket {
      readonly conn: EngineSocket & { readonly id: string };
      emit(event: string, ...values: readonly unknown[]): void;
      disconnect(close?: boolean): void;
      on(event: "disconnect", listener: () => void): void;
    }
    interface SocketServer {
      on(event: "connection", listener: (socket: ServerSocket) => void): void;
      close(): void;
    }
    interface Options {
      readonly path?: string;
      readonly serveClient?: boolean;
      readonly pingInterval?: number;
      readonly pingTimeout?: number;
      readonly allowRequest?: (
        request: IncomingMessage,
        decide: (error: number | string | null, isAllowed: boolean) => void,
      ) => void;
    }
  }
  function createServer(server: Server, options: createServer.Options): createServer.SocketServer;
  export = createServer;
}
