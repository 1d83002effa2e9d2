import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Time for what is under way when a server closes, in milliseconds. */
const graceMs = 5_000;

/** @returns where it listens, without a slash at the end */
export async function listen(server: Server, host: string, port: number): Promise<string> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code !== "EADDRINUSE") throw error;
    throw new Error(
      `port ${port} of ${host} is in use; choose another with --port or listen_port`,
      { cause: error },
    );
  }
  const { address, family, port: taken } = server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${taken}`;
}

/** Lets what is under way end, for a while. */
export async function closeServer(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}
