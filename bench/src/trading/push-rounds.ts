import { fileURLToPath } from "node:url";
import {
  firstMessage,
  type PinnedProcess,
  portOf,
  startPinned,
} from "../machine/pinned-process.ts";
import { cpuMicroseconds } from "../machine/process-figures.ts";
import type { ClientCount, ClientOrder } from "./trading-protocol.ts";

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
  const port = await firstMessage(started, portOf);
  return { url: `http://127.0.0.1:${port}`, process: started };
}

function start(script: string, args: readonly string[], cores: string | null): PinnedProcess {
  const command = process.execPath;
  return startPinned({ cores, command, args: [...process.execArgv, script, ...args], ipc: true });
}

export interface PushRound extends ClientCount {
  readonly server_cpu_us: number;
}

/** Clients of one kind in a process of their own count what the server pushes. */
export async function pushRound(
  server: PushServer,
  kind: "plain" | "plain-prices" | "trading",
  clients: number,
  order: ClientOrder,
  cores: string | null,
): Promise<PushRound> {
  const client = start(CLIENT, [kind, server.url, String(clients)], cores);
  try {
    await firstMessage(client, memberOf("ready"));
    const counting = firstMessage(client, memberOf("counting"));
    client.child.send(order);
    await counting;
    const counted = firstMessage(client, memberOf("counted"));
    const before = cpuMicroseconds(server.process.pid);
    const push = "count" in order ? order.count : 2 ** 31;
    server.process.child.send({ push });
    const figures = await counted;
    const server_cpu_us = cpuMicroseconds(server.process.pid) - before;
    server.process.child.send({ push: 0 });
    return { ...(figures as ClientCount), server_cpu_us };
  } finally {
    await client.stop();
  }
}

const memberOf =
  (name: string) =>
  (message: unknown): unknown =>
    typeof message === "object" && message !== null
      ? Object.entries(message).find(([key]) => key === name)?.[1]
      : undefined;
