import { isJsonObject } from "@proj/model-apis/json";
import type { Criterion, Rubric } from "./review.ts";
import type { Score } from "./score.ts";

/** What a judge says about one criterion. */
export type Judgement = Pick<Score, "name" | "value" | "label" | "comment">;

const maxComment = 10_000;

/** The answer does not have what the rubric asks for. */
export class BadJudgementError extends Error {
  override readonly name = "BadJudgementError";
}

/**
 * Reads a judge's answer: JSON, alone or in a code block, with `{"value", "comment"}` for each criterion. Other members
 * are ignored.
 * @throws BadJudgementError it has another form, or a value that the rubric does not list
 */
export function readJudgements(text: string, { criteria }: Rubric): readonly Judgement[] {
  return judgementsIn(parsed(text), { criteria });
}

/** The same for an answer that is not text. @throws BadJudgementError */
export function judgementsIn(
  answer: unknown,
  { criteria }: Pick<Rubric, "criteria">,
): readonly Judgement[] {
  if (!isJsonObject(answer)) throw new BadJudgementError("the answer is not a JSON object");
  return criteria.map((criterion) => judgementOf(criterion, answer[criterion.name]));
}

function judgementOf({ name, values }: Criterion, given: unknown): Judgement {
  if (!isJsonObject(given)) throw new BadJudgementError(`${name}: an object is missing`);
  const { value, comment } = given;
  const found = [...values].find((allowed) => allowed === value);
  if (found === undefined) {
    const said = JSON.stringify(value) ?? "nothing";
    throw new BadJudgementError(
      `${name}: ${said.slice(0, 200)} is not one of ${values.join(", ")}`,
    );
  }
  const score =
    typeof found === "number" ? { value: found, label: null } : { value: null, label: found };
  const remark = typeof comment === "string" ? comment.slice(0, maxComment) : null;
  return { name, ...score, comment: remark };
}

function parsed(text: string): unknown {
  const [, fenced = text] = /^\s*```(?:json)?\n([\s\S]*?)\n?```\s*$/.exec(text) ?? [];
  try {
    return JSON.parse(fenced);
  } catch {
    return null;
  }
}
