import { askEndpoint, type EndpointOptions, readEndpoint } from "../answer/ask-endpoint.ts";
import { sizedBody } from "../answer/sized-body.ts";
import { traceVariables } from "../child-process/agent-environment.ts";
import { type CommandOptions, describeCommand } from "../child-process/command-options.ts";
import { runCommand } from "../child-process/run-command.ts";
import { secretVariables } from "../child-process/secret-variables.ts";
import { askedEvaluator } from "./asked-evaluator.ts";
import { evaluationDocument } from "./evaluation-document.ts";
import type { Evaluator } from "./evaluator.ts";
import { EvaluatorError } from "./evaluator-error.ts";

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

/**
 * An evaluator behind HTTP. `{"simulation":{…},"result":{…},"workdir":…,"steps":[…]}` is posted to it, with a
 * `content-length` up to 16 MiB; a larger one in chunks, while it is read from storage. The answer's body is the score, or an object with
 * `score` and details; it may take as long as the launcher allows.
 * @throws TypeError `url` is not an http or https URL
 */
export function httpEvaluator(url: string, options: EndpointOptions = {}): Evaluator {
  const endpoint = readEndpoint(url, options);
  const { description, secrets } = endpoint;
  return askedEvaluator(
    description,
    async ({ request, traceparent, signal, mask }) => {
      const body = await sizedBody(() => evaluationDocument(request), signal);
      return askEndpoint(endpoint, { body, traceparent, mask, signal });
    },
    secrets,
  );
}

/** Uses the runtime's own `total_reward` as the score. */
export const resultEvaluator: Evaluator = {
  description: "the runtime's own total_reward",
  evaluate: async ({ result }, { signal }) => {
    signal.throwIfAborted();
    if (result.total_reward !== null) return { score: result.total_reward, details: {} };
    throw new EvaluatorError(
      "no_total_reward",
      `the result of session ${result.session_id} has no total_reward; let the runtime answer one, or choose an evaluator`,
    );
  },
};
