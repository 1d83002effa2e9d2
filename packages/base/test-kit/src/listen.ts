import { randomInt } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";

export interface Listening extends AsyncDisposable {
  readonly port: number;
  /** `http://127.0.0.1:<port>`, without a trailing slash. */
  readonly url: string;
  /** Cuts every connection; resolves when the port is free. May be called again. */
  close(): Promise<void>;
}

/**
 * Lets a server of node:net or node:http listen on 127.0.0.1.
 * @param wanted the port; 0: any free one
 */
export async function listen(server: Server, wanted = 0): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(wanted, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  let closed: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closed ??= new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
    return closed;
  };
  return { port, url: `http://127.0.0.1:${port}`, close, [Symbol.asyncDispose]: close };
}

/** Below the ports that Linux, macOS and Windows give to a program that asks for any port. */
const notGivenAway = { first: 20_000, count: 12_000 } as const;

const maxTries = 1_000;

/** A port of 127.0.0.1 that nothing uses, and that no program gets by chance before the caller does. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const port = notGivenAway.first + randomInt(notGivenAway.count);
    try {
      await using probe = await listen(createServer(), port);
      return probe.port;
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }
  const { first, count } = notGivenAway;
  throw new Error(`${maxTries} ports between ${first} and ${first + count} were tried, all taken`);
}

const isTaken = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "EADDRINUSE";
