import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { DemoUpstreamOptions } from "./options.ts";
import { createRequestListener } from "./request-listener.ts";

export interface DemoUpstream {
  /** The base URL for a client, ending in `/v1`. */
  readonly url: string;
  readonly port: number;
  /** Cuts off requests in progress and resolves when the port is free. */
  close(): Promise<void>;
}

/**
 * Starts the server and resolves when it listens.
 * @throws the error of `listen`, such as `EADDRINUSE`
 */
export async function startDemoUpstream(options: DemoUpstreamOptions = {}): Promise<DemoUpstream> {
  const { host = "127.0.0.1", port: wanted = 0 } = options;
  const server = createServer(createRequestListener(options));
  server.listen(wanted, host);
  await once(server, "listening");
  const { port, address, family } = server.address() as AddressInfo;
  const name = family === "IPv6" ? `[${address}]` : address;
  let closed: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    const done = once(server, "close");
    server.close();
    server.closeAllConnections();
    await done;
  };
  return {
    url: `http://${name}:${port}/v1`,
    port,
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}
