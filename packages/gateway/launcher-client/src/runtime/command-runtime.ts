import { AnswerFailure } from "../answer/answer-failure.ts";
import { traceVariables } from "../child-process/agent-environment.ts";
import { describeCommand } from "../child-process/command-options.ts";
import { placedIn } from "../sandbox/sandbox.ts";
import { temporaryAttemptFolder } from "../workdir/attempt-folder.ts";
import { type AgentCommandOptions, agentCommand } from "./agent-command.ts";
import { agentRequest } from "./agent-request.ts";
import type { AgentRuntime } from "./agent-runtime.ts";
import { askedRuntime } from "./asked-runtime.ts";
import { runAgentCommand } from "./run-agent-command.ts";
import { RuntimeError } from "./runtime-error.ts";

/** Systems limit the size of a variable, Linux to 128 KiB. */
const maxVariable = 64 * 1024;

/** A cluster may have to bring an attempt's folder back before it ends the agent. */
const elsewhereMs = 12_000;

/**
 * A runtime that is a command of the system's shell. It gets the start request as one line of JSON on its standard
 * input and, up to 64 KiB, in the environment variable SIMULATION_START_REQUEST; the last line of its standard output
 * that is not blank is the result. A code other than 0 is a failure, even after a good result. Whatever is left of it
 * at its end is killed.
 *
 * It runs in its own folder, with HOME and TMPDIR beside it. Of the launcher's variables it gets only PATH, the
 * language, the time zone and certificates; TRACEPARENT too if its run is traced. Its standard streams are sockets,
 * as for every child of Node: descriptors 0 to 2 work, but the files /dev/stdin, /dev/stdout and /dev/stderr cannot
 * be opened on Linux.
 * @param description for errors
 */
export function commandRuntime(
  command: string,
  options: AgentCommandOptions = {},
  description: string = describeCommand(command),
): AgentRuntime {
  const { sandbox } = options;
  const runtime = askedRuntime(description, async (question) => {
    const { request, folder, traceparent, begun, signal, mask } = question;
    const text = JSON.stringify(agentRequest(request, options));
    const variables: Record<string, string> = {
      ...(Buffer.byteLength(text) <= maxVariable ? { SIMULATION_START_REQUEST: text } : {}),
      ...traceVariables(traceparent),
    };
    const ownFolder = folder ?? temporaryAttemptFolder();
    try {
      const start = await agentCommand(command, options, ownFolder, variables, request.session_id);
      return await runAgentCommand(start, request.llm_base_url, {
        input: [`${text}\n`],
        graceMs: options.graceMs ?? (sandbox?.isElsewhere === true ? elsewhereMs : undefined),
        begun,
        mask,
        signal,
      });
    } catch (error) {
      const exit = error instanceof AnswerFailure && error.kind === "exited" ? error : null;
      const by = exit === null ? null : await sandbox?.endedBy?.(request.session_id);
      // A place that cannot be asked now is asked again once the attempt is left.
      await sandbox?.abandon?.(request.session_id).catch(() => {});
      if (by != null)
        throw new RuntimeError("runtime_lost", `${description} was ended: ${by}`, exit ?? {});
      throw error;
    } finally {
      if (folder === undefined) await ownFolder.remove();
    }
  });
  return { ...runtime, ...placedIn(sandbox) };
}
