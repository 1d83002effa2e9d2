import type { AnswerFacts } from "../bodies/answer-facts.ts";
import { tokensOf } from "../bodies/token-counts.ts";
import type { Answer } from "../call/answer.ts";
import type { Call } from "../call/call.ts";
import type { Stage } from "../call/stage.ts";
import { durationsOf } from "../call/timings.ts";
import { whenSettled } from "../call/when-settled.ts";
import { asCallError, type CallError, GatewayError } from "../errors/gateway-error.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { describeOutcome } from "../recording/outcome.ts";
import { costOf } from "../recording/step-cost.ts";

/** Counts how each call ended, once it has. */
export function countCall<C extends Call>(metrics: Metrics): Stage<C> {
  return (next) => async (call) => {
    try {
      const answer = await next(call);
      if (call.replayed !== null) metrics.route(call.model).replayed(call.endpoint.name);
      else if (answer.upstream === null) metrics.route(call.model).stopped(call.endpoint.name);
      else
        whenSettled(answer, (facts, error) => countFinished(metrics, call, answer, facts, error));
      return answer;
    } catch (error) {
      const reason = asCallError(error);
      if (call.timings.forwarded !== 0) countFinished(metrics, call, null, null, reason);
      else if (reason instanceof GatewayError) {
        metrics.route(call.model).refused(call.endpoint.name, reason.code);
        const { status_code } = describeOutcome(null, null, reason);
        const duration_ms = performance.now() - call.timings.started;
        metrics.recent.ended(call.model, { status_code, duration_ms, ttft_ms: null });
      }
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
  route.finished(call.endpoint.name, { status_code, outcome, duration_ms, queue_ms, ttft_ms });
  route.used(tokensOf(facts), costOf(call, facts));
  metrics.recent.ended(call.model, { status_code, duration_ms, ttft_ms });
  metrics.recent.completed(call.model, facts?.completion_tokens ?? null);
}
