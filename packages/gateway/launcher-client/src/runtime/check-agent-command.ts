import { randomUUID } from "node:crypto";
import { SecretMask } from "@proj/gateway-protocol";
import { AnswerFailure } from "../answer/answer-failure.ts";
import { type AttemptFolder, temporaryAttemptFolder } from "../workdir/attempt-folder.ts";
import { type AgentCommandOptions, agentCommand } from "./agent-command.ts";
import { runAgentCommand } from "./run-agent-command.ts";

/** The command does nothing, so nothing is asked there. */
const noSession = "http://127.0.0.1:9/v1/sessions/none";

/**
 * Runs a command that does nothing in the way that agents will run, so that a sandbox that does not work here, or a
 * user or limit that cannot be set, is reported before the first simulation.
 * @param folder removed afterwards
 * @throws Error why it does not work
 */
export async function checkAgentCommand(
  options: AgentCommandOptions,
  signal: AbortSignal,
  folder: AttemptFolder = temporaryAttemptFolder(),
): Promise<void> {
  const name = `check-${randomUUID()}`;
  try {
    const start = await agentCommand('echo 1 | tee "$HOME/shared"', options, folder, {}, name);
    await runAgentCommand(start, noSession, { input: [], mask: new SecretMask([]), signal });
    if ((await folder.readFromHome("shared", 1, signal)) === null)
      throw new Error("what agents write to their folders does not arrive here: it must be shared");
  } catch (error) {
    if (!(error instanceof AnswerFailure)) throw error;
    const how = options.sandbox ? ` in ${options.sandbox.description}` : "";
    const said = error.last_output === null ? "" : `\n${error.last_output}`;
    throw new Error(`agents cannot be run${how}: a command ${error.message}${said}`);
  } finally {
    await options.sandbox?.abandon?.(name).catch(() => {});
    await folder.remove();
  }
}
