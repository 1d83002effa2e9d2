import type { Answer } from "../answer/answer.ts";
import { type CommandTask, runCommand } from "../child-process/run-command.ts";
import { openSessionNetwork } from "../network/session-network.ts";
import type { AgentStart } from "./agent-command.ts";

/**
 * Runs an agent's command like any other; if it has a network of its own, with the session's endpoint in it.
 * @param llm_base_url the session's at the gateway
 * @throws what `runCommand` throws; Error the agent's network cannot be entered
 */
export function runAgentCommand(
  { network, goAhead, ...start }: AgentStart,
  llm_base_url: string,
  { input, ...task }: Omit<CommandTask, "prepare" | "input"> & { readonly input: Iterable<string> },
): Promise<Answer> {
  const whole = { ...task, input: [goAhead, ...input] };
  if (network === "machine") return runCommand(start, whole);
  return runCommand(start, {
    ...whole,
    prepare: (mark, signal) => openSessionNetwork(mark, llm_base_url, signal),
  });
}
