import { within } from "@proj/test-kit";
import type { EvaluationRequest, Evaluator } from "../../src/evaluator/evaluator.ts";
import { EvaluatorError } from "../../src/evaluator/evaluator-error.ts";
import { evaluationRequest } from "./evaluation-request.ts";

/** The EvaluatorError that an evaluation ends with. */
export async function failureOf(
  evaluator: Evaluator,
  request: EvaluationRequest = evaluationRequest(),
): Promise<EvaluatorError> {
  const { signal } = new AbortController();
  const failed = evaluator.evaluate(request, { signal }).then(
    (evaluation) => new Error(`The evaluator did not fail: ${JSON.stringify(evaluation)}`),
    (error: unknown) => error,
  );
  const error = await within(failed, "the evaluator to fail");
  if (!(error instanceof EvaluatorError)) throw error;
  return error;
}
