import { once } from "node:events";
import { type StartedCommand, startCommand } from "../child-process/start-command.ts";
import { openSessionNetwork } from "../network/session-network.ts";
import type { AgentStart } from "../runtime/agent-command.ts";

/** A command that is talked with while it runs. */
export interface OpenCommand {
  readonly child: StartedCommand["child"];
  /** Resolves when it has ended. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** Ends it and everything that it started. @param graceMs before it is killed */
  end(graceMs: number): Promise<void>;
}

/**
 * Starts an agent's command with its network, and leaves its streams open.
 * @throws AnswerFailure it could not be started; Error its network cannot be entered; the signal's reason
 */
export async function openCommand(
  { network, goAhead, ...start }: AgentStart,
  llm_base_url: string,
  signal: AbortSignal,
): Promise<OpenCommand> {
  signal.throwIfAborted();
  const { child, tree, mark, leave } = await startCommand(start);
  // A broken pipe shows in the protocol; without a listener its error would end the launcher.
  for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.on("error", () => {});
  const over = new AbortController();
  const exited = once(child, "exit").then(([code, by]) => {
    over.abort(new Error("the command has ended"));
    return { code, signal: by };
  });
  let closeNetwork = (): void => {};
  const end = async (graceMs: number): Promise<void> => {
    if (!over.signal.aborted) await tree.end(graceMs);
    await leave();
    closeNetwork();
    for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy();
  };
  try {
    if (network === "session") {
      const ending = AbortSignal.any([signal, over.signal]);
      closeNetwork = await openSessionNetwork(mark, llm_base_url, ending);
      child.stdin.write(goAhead);
    }
  } catch (error) {
    await end(0);
    throw error;
  }
  return { child, exited, end };
}
