import type { AnswerFacts } from "@proj/model-apis";
import type { Answer } from "../call/answer.ts";
import type { StepOutcome } from "../call/outcome.ts";
import type { BoundCall } from "./bound-call.ts";
import { costOf } from "./step-cost.ts";

/**
 * Whether a model may have worked for the step, and its usage or price is not known: no usage came, the answer was
 * given up before its end, or the route has no price for the day.
 * @param countsTokens the tokens matter even if the route has no prices
 */
export function isUnpriced(
  call: BoundCall,
  answer: Answer | null,
  facts: AnswerFacts | null,
  { status_code }: Pick<StepOutcome, "status_code">,
  countsTokens: boolean,
): boolean {
  if (call.replayed !== null || call.endpoint.writeAnswer === null) return false;
  const status = answer?.upstream?.status ?? null;
  // Without headers: the caller left, or the time was up.
  const mayHaveWorked =
    status === null
      ? call.timings.forwarded > 0 && (status_code === 499 || status_code === 504)
      : status >= 200 && status < 300;
  if (!mayHaveWorked) return false;
  const isCounted = (facts?.prompt_tokens ?? facts?.completion_tokens ?? null) !== null;
  if (!isCounted) return countsTokens || call.route.config.prices.length > 0;
  return call.route.config.prices.length > 0 && costOf(call, facts) === null;
}
