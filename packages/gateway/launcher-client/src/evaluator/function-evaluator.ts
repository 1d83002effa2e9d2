import { isJsonObject } from "@proj/model-apis/json";
import { callFunction, describeFunction, type FunctionOptions } from "../answer/call-function.ts";
import { askedEvaluator } from "./asked-evaluator.ts";
import type { EvaluateOptions, Evaluation, EvaluationRequest, Evaluator } from "./evaluator.ts";

/** A score, alone or with details. */
export type GivenEvaluation = number | (Pick<Evaluation, "score"> & Partial<Evaluation>);

export type EvaluationFunction = (
  request: EvaluationRequest,
  options: EvaluateOptions,
) => GivenEvaluation | Promise<GivenEvaluation>;

/** An evaluator that is a function in the launcher's process. */
export function functionEvaluator(
  judge: EvaluationFunction,
  options: FunctionOptions = {},
): Evaluator {
  return askedEvaluator(
    describeFunction(judge, options),
    ({ request, traceparent, signal, mask }) => {
      const call = async (): Promise<unknown> =>
        asAnswered(await judge(request, { signal, traceparent }));
      return callFunction(call, options, { mask, signal });
    },
  );
}

/** The form in which commands and endpoints answer: the details beside the score. */
const asAnswered = (given: GivenEvaluation): unknown =>
  isJsonObject(given) ? { ...given.details, score: given.score } : given;
