import { traceVariables } from "../child-process/agent-environment.ts";
import { type CommandOptions, describeCommand } from "../child-process/command-options.ts";
import { runCommand } from "../child-process/run-command.ts";
import { secretVariables } from "../child-process/secret-variables.ts";
import { askedEvaluator } from "./asked-evaluator.ts";
import { evaluationDocument } from "./evaluation-document.ts";
import type { Evaluator } from "./evaluator.ts";

/**
 * An evaluator that is a command of the system's shell. It gets
 * `{"simulation":{…},"result":{…},"workdir":…,"steps":[…]}` on its standard input and may read as much of it as it
 * likes. The last line of its standard output that is not blank is the score, or an object with `score` and details.
 * It gets the launcher's environment without the secrets, and runs in the launcher's working directory.
 */
export function commandEvaluator(command: string, options: CommandOptions = {}): Evaluator {
  return askedEvaluator(describeCommand(command), ({ request, traceparent, signal, mask }) => {
    const env = { ...process.env, ...withheld, ...options.env, ...traceVariables(traceparent) };
    return runCommand(
      { run: command, cwd: options.cwd, env },
      { input: evaluationDocument(request), graceMs: options.graceMs, mask, signal },
    );
  });
}

const withheld = Object.fromEntries(secretVariables.map((name) => [name, undefined]));
