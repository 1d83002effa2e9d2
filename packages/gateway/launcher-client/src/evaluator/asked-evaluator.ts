import { SecretMask } from "@proj/gateway-protocol";
import { objectOf } from "@proj/model-apis/json";
import type { StoredStep } from "@proj/session-store";
import { type Answer, show } from "../answer/answer.ts";
import { AnswerFailure, asFailure, failureText } from "../answer/answer-failure.ts";
import type { EvaluatedSimulation, Evaluation, EvaluationRequest, Evaluator } from "./evaluator.ts";
import { EvaluatorError } from "./evaluator-error.ts";

export interface EvaluatorQuestion {
  readonly request: EvaluationRequest;
  readonly traceparent: string | undefined;
  readonly signal: AbortSignal;
  readonly mask: SecretMask;
}

/** An evaluator that is asked once for each simulation, over whatever channel. */
export function askedEvaluator(
  description: string,
  ask: (question: EvaluatorQuestion) => Promise<Answer>,
  secrets: readonly string[] = [],
): Evaluator {
  const mask = new SecretMask(secrets);
  return {
    description,
    evaluate: async (given, { signal, traceparent }) => {
      const { simulation, result, workdir } = given;
      let unreadable: EvaluatorError | null = null;
      async function* watched(): AsyncGenerator<StoredStep> {
        try {
          yield* given.steps();
        } catch (cause) {
          unreadable = stepsUnreadable(simulation.session_id, cause);
          throw unreadable;
        }
      }
      try {
        signal.throwIfAborted();
        const request = { simulation: withoutKey(simulation), result, workdir, steps: watched };
        const answer = await ask({ request, traceparent, signal, mask });
        signal.throwIfAborted();
        return readEvaluation(answer);
      } catch (error) {
        signal.throwIfAborted();
        // Takes precedence over whatever the evaluator made of it.
        if (unreadable !== null) throw unreadable;
        const failure = asFailure(error, mask);
        const { kind, last_output, cause } = failure;
        throw new EvaluatorError(`evaluator_${kind}`, failureText(description, failure), {
          last_output,
          cause,
        });
      }
    },
  };
}

/** The type leaves the key out, but an object made for the runtime may still have it. */
function withoutKey(
  simulation: EvaluatedSimulation & { llm_api_key?: unknown },
): EvaluatedSimulation {
  const { llm_api_key: _, ...rest } = simulation;
  return rest;
}

function stepsUnreadable(session_id: string, cause: unknown): EvaluatorError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `the steps of session ${session_id} could not be read: ${reason}`;
  return new EvaluatorError("steps_unreadable", message, { cause });
}

/**
 * Reads an evaluator's answer: a number, or an object with a `score`; the object's other members are the details.
 * @throws AnswerFailure it is neither
 */
function readEvaluation({ value, last_output }: Answer): Evaluation {
  if (typeof value === "number") return { score: value, details: {} };
  const { score, ...details } = objectOf(value);
  if (typeof score === "number") return { score, details };
  const message = `answered ${show(value)} instead of a number, or an object with a number as its "score"`;
  throw new AnswerFailure("bad_result", message, last_output);
}
