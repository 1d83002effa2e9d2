import type { AnswerFacts } from "@proj/model-apis";
import type { CallError } from "../errors/gateway-error.ts";
import type { Answer } from "./answer.ts";

/** Calls back once nothing of the answer is left, with what was read from it and how it failed. */
export function whenSettled(
  answer: Answer,
  act: (facts: AnswerFacts | null, error: CallError | null) => void,
): void {
  answer.settled.when(({ error }) => {
    const facts = answer.reading?.facts() ?? null;
    if (facts instanceof Promise) void facts.then((read) => act(read, error));
    else act(facts, error);
  });
}
