import { asCallError, type CallError, GatewayError } from "../gateway-error.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { AnswerFacts } from "../telemetry/answer-facts.ts";
import { describeOutcome } from "../telemetry/outcome.ts";
import type { Answer } from "./answer.ts";
import type { Call } from "./call.ts";
import type { Stage } from "./stage.ts";
import { durationsOf } from "./timings.ts";
import { whenSettled } from "./when-settled.ts";

/** Counts how each call ended, once it has. */
export function countCall<C extends Call>(metrics: Metrics): Stage<C> {
  return (next) => async (call) => {
    try {
      const answer = await next(call);
      if (answer.upstream === null) metrics.route(call.model).stopped(call.endpoint);
      else
        whenSettled(answer, (facts, error) => countFinished(metrics, call, answer, facts, error));
      return answer;
    } catch (error) {
      const reason = asCallError(error);
      if (call.timings.forwarded !== 0) countFinished(metrics, call, null, null, reason);
      else if (reason instanceof GatewayError)
        metrics.route(call.model).refused(call.endpoint, reason.code);
      throw error;
    }
  };
}

function countFinished(
  metrics: Metrics,
  call: Call,
  answer: Answer | null,
  facts: AnswerFacts | null,
  error: CallError | null,
): void {
  const { status_code, outcome } = describeOutcome(answer?.upstream?.status ?? null, facts, error);
  const { queue_ms, ttft_ms } = durationsOf(call.timings);
  const duration_ms = performance.now() - call.timings.started;
  const route = metrics.route(call.model);
  route.finished(call.endpoint, { status_code, outcome, duration_ms, queue_ms, ttft_ms });
  route.tokens(facts?.prompt_tokens ?? null, facts?.completion_tokens ?? null);
}
