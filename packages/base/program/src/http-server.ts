import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, createServer } from "node:net";

/**
 * Fails like `listen` where the address is in use, before a command opens what takes long and would have to be
 * closed again. Another program may take the address afterwards: then `listen` fails.
 */
export async function requireFreeAddress(host: string, port: number): Promise<void> {
  if (port === 0) return;
  const probe = createServer((socket) => socket.destroy()).listen(port, host);
  await once(probe, "listening");
  const closed = once(probe, "close");
  probe.close();
  await closed;
}

/** @returns the server's address: `http://127.0.0.1:8080`, without a slash at the end */
export async function listen(server: Server, host: string, port: number): Promise<string> {
  server.listen(port, host);
  await once(server, "listening");
  const { address, family, port: taken } = server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${taken}`;
}

/** Takes no new requests, and lets those in flight end. @param graceMs after this, they are cut off */
export async function closeServer(server: Server, graceMs: number = 5_000): Promise<void> {
  const closed = once(server, "close");
  server.close();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}
