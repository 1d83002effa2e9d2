import type { SimulationResult, SimulationStartRequest } from "@proj/gateway-protocol";
import { SecretMask } from "@proj/gateway-protocol";
import { type Answer, show } from "../answer/answer.ts";
import { asFailure, failureText, quoted } from "../answer/answer-failure.ts";
import type { AttemptFolder } from "../workdir/attempt-folder.ts";
import type { AgentRuntime } from "./agent-runtime.ts";
import { RuntimeError } from "./runtime-error.ts";
import { hasSucceeded, readResult, successStatuses } from "./simulation-result.ts";

export interface RuntimeQuestion {
  readonly request: SimulationStartRequest;
  readonly folder: AttemptFolder | undefined;
  readonly traceparent: string | undefined;
  readonly begun: (() => void) | undefined;
  readonly signal: AbortSignal;
  /** Masks the key to the model. */
  readonly mask: SecretMask;
}

/**
 * A runtime that is asked once for each simulation, over whatever channel.
 * @param secrets masked like the key to the model
 */
export function askedRuntime(
  description: string,
  ask: (question: RuntimeQuestion) => Promise<Answer>,
  secrets: readonly string[] = [],
): AgentRuntime {
  return {
    description,
    run: async (request, { signal, folder, traceparent, begun }) => {
      const mask = new SecretMask([request.llm_api_key, ...secrets]);
      try {
        signal.throwIfAborted();
        const answer = await ask({ request, folder, traceparent, begun, signal, mask });
        signal.throwIfAborted();
        const result = readResult(answer, request.session_id);
        if (hasSucceeded(result)) return result;
        const message = whyFailed(result, description);
        throw new RuntimeError("runtime_failed", message, { ...answer, result });
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof RuntimeError) throw error;
        const failure = asFailure(error, mask);
        const { kind, last_output } = failure;
        throw new RuntimeError(`runtime_${kind}`, failureText(description, failure), {
          last_output,
        });
      }
    },
  };
}

const whyFailed = ({ status, error_text }: SimulationResult, description: string): string =>
  error_text === null
    ? `${description} reported the status ${show(status)}; success is ${successStatuses.join(", ")}`
    : quoted(error_text, `reported by ${description}`);
