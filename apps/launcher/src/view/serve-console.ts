import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:http";
import { closeServer, Interruption, listen } from "@proj/program";

export const viewHost = "127.0.0.1";

/**
 * Serves a console with a key of its own until the signal aborts, and prints both.
 * @param place the path and the fragment to begin with
 */
export async function serveConsole(
  open: (key: string) => Server,
  place: string,
  port: number,
  signal: AbortSignal,
): Promise<void> {
  // Whatever else runs on this machine reaches its loopback too: an agent, for one.
  const key = randomBytes(18).toString("base64url");
  const server = open(key);
  const url = await listen(server, viewHost, port);
  console.log(`key      ${key}`);
  console.log(`console  ${url}${place}`);
  try {
    if (!signal.aborted) await once(signal, "abort");
    const name = signal.reason instanceof Interruption ? signal.reason.signal : "ended";
    console.log(`${name}: closing`);
  } finally {
    await closeServer(server, 1_000);
  }
}
