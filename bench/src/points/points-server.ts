import { fileURLToPath } from "node:url";
import { type PinnedProcess, portOf, startPinned } from "../machine/pinned-process.ts";
import { messageWithin } from "../trading/message-within.ts";
import type { ServerCommand, ServerReply } from "./points-protocol.ts";

const LONGEST_START_MS = 300_000;
const LONGEST_JOB_MS = 600_000;

export interface StartedServer {
  readonly port: number;
  readonly process: PinnedProcess;
}

/** @param main a file of this folder @param args its arguments */
export async function startServer(
  main: "server-main" | "offset-main",
  cores: string | null,
  args: readonly string[],
): Promise<StartedServer> {
  const file = fileURLToPath(import.meta.resolve(`./${main}.ts`));
  const started = startPinned({
    cores,
    command: process.execPath,
    args: [...process.execArgv, file, ...args],
    ipc: true,
  });
  const port = await messageWithin(started, portOf, `${main} to listen`, LONGEST_START_MS);
  return { port, process: started };
}

/** Sends a server a command and waits until it is done. @throws Error it failed */
export async function have(
  { process: started }: StartedServer,
  command: ServerCommand,
): Promise<ServerReply> {
  const done = messageWithin(
    started,
    (message) => message as ServerReply,
    `the ${command.kind} to end`,
    LONGEST_JOB_MS,
  );
  started.child.send(command);
  const reply = await done;
  if (reply.failure !== undefined) throw new Error(`the ${command.kind} failed: ${reply.failure}`);
  return reply;
}
