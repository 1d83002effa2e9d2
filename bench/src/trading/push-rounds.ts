import { fileURLToPath } from "node:url";
import { type PinnedProcess, portOf, startPinned } from "../machine/pinned-process.ts";
import { cpuMicroseconds } from "../machine/process-figures.ts";
import { messageWithin } from "./message-within.ts";
import type { ClientCount, ClientKind, ClientOrder, ServerOrder } from "./trading-protocol.ts";

const CLIENT = fileURLToPath(import.meta.resolve("./client-main.ts"));
export type ServerName = "broker" | "socket.io 2.5.1";
const SERVERS: Readonly<Record<ServerName, string>> = {
  broker: fileURLToPath(import.meta.resolve("./broker-main.ts")),
  "socket.io 2.5.1": fileURLToPath(import.meta.resolve("./plain-server-main.ts")),
};

export interface PushServer {
  readonly url: string;
  readonly process: PinnedProcess;
}

export async function startServer(
  name: ServerName,
  cores: string | null,
  args: readonly string[] = [],
): Promise<PushServer> {
  const started = start(SERVERS[name], args, cores);
  const port = await messageWithin(started, portOf, `${name} to listen`);
  return { url: `http://127.0.0.1:${port}`, process: started };
}

function start(script: string, args: readonly string[], cores: string | null): PinnedProcess {
  const command = process.execPath;
  return startPinned({ cores, command, args: [...process.execArgv, script, ...args], ipc: true });
}

export interface PushRound extends ClientCount {
  readonly server_cpu_us: number;
}

/** Clients of one kind, in a separate process, count the server's pushes. */
export async function pushRound(
  server: PushServer,
  kind: ClientKind,
  clients: number,
  order: ClientOrder,
  cores: string | null,
): Promise<PushRound> {
  const client = start(CLIENT, [kind, server.url, String(clients)], cores);
  const tellServer = (order: ServerOrder): void => void server.process.child.send(order);
  try {
    await messageWithin(client, memberOf("ready"), "the client to be connected");
    const counting = messageWithin(client, memberOf("counting"), "the client to begin");
    client.child.send(order);
    await counting;
    const counted = messageWithin(client, memberOf("counted"), "the client to count its pushes");
    const before = cpuMicroseconds(server.process.pid);
    tellServer({ isPushing: true });
    const figures = await counted;
    const server_cpu_us = cpuMicroseconds(server.process.pid) - before;
    return { ...(figures as ClientCount), server_cpu_us };
  } finally {
    tellServer({ isPushing: false });
    await client.stop();
  }
}

const memberOf =
  (name: string) =>
  (message: unknown): unknown =>
    typeof message === "object" && message !== null
      ? Object.entries(message).find(([key]) => key === name)?.[1]
      : undefined;
