import { isJsonObject } from "@proj/model-apis/json";
import { type Answer, show } from "../answer/answer.ts";
import { AnswerFailure } from "../answer/answer-failure.ts";
import type { Evaluation } from "./evaluator.ts";

/**
 * Reads an evaluator's answer: a number, or an object with a `score`; the object's other members are the details.
 * @throws AnswerFailure it is neither
 */
export function readEvaluation({ value, last_output }: Answer): Evaluation {
  if (typeof value === "number") return { score: value, details: {} };
  const { score, ...details } = isJsonObject(value) ? value : {};
  if (typeof score === "number") return { score, details };
  const message = `answered ${show(value)} instead of a number, or an object with a number as its "score"`;
  throw new AnswerFailure("bad_result", message, last_output);
}
