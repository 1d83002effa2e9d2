import { firstMessage, type StartedServer } from "../machine/pinned-process.ts";

const MAX_JOB_MS = 600_000;

/** The bench's commands to a server's process, which answers each with one message. */
export type ServerCommand =
  | { readonly kind: "import"; readonly file: string }
  | { readonly kind: "snapshot" };

export interface ServerReply {
  readonly seconds: number;
  /** The number of stored events, or of addresses in the overall ranking. */
  readonly count: number;
  /** Why it failed. */
  readonly failure?: string;
}

/** Sends a server a command and waits until it is done. @throws Error it failed */
export async function have(
  { process: started }: StartedServer,
  command: ServerCommand,
): Promise<ServerReply> {
  const replyOf = (message: unknown): ServerReply => message as ServerReply;
  const done = firstMessage(started, replyOf, `the ${command.kind} to end`, MAX_JOB_MS);
  started.child.send(command);
  const reply = await done;
  if (reply.failure !== undefined) throw new Error(`the ${command.kind} failed: ${reply.failure}`);
  return reply;
}
