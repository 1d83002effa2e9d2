import { type AnswerFacts, tokensOf } from "@proj/model-apis";
import type { Answer } from "../call/answer.ts";
import type { Call } from "../call/call.ts";
import { describeOutcome, errorOf } from "../call/outcome.ts";
import type { ObservedSpan } from "../call/route.ts";
import { durationsOf } from "../call/timings.ts";
import { type CallError, GatewayError } from "../errors/gateway-error.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { costOf } from "../recording/step-cost.ts";
import type { CallObserver } from "./observe-call.ts";

/** Counts how each call ended. */
export const countCall = (metrics: Metrics): CallObserver => ({
  ended: (call, answer, facts, error) => {
    if (answer === null && call.timings.forwarded === 0) countRefused(call, error);
    else if (answer !== null && call.replayed !== null)
      call.route.metrics.replayed(call.endpoint.name);
    else if (answer !== null && answer.upstream === null)
      call.route.metrics.stopped(call.endpoint.name);
    else countFinished(metrics, call, answer, facts, error);
  },
});

function countRefused({ route, endpoint, timings }: Call, error: CallError | null): void {
  if (!(error instanceof GatewayError)) return;
  route.metrics.refused(endpoint.name, error.code);
  const { status_code } = describeOutcome(null, null, error);
  const duration_ms = performance.now() - timings.started;
  const nothing = { ttft_ms: null, completion_tokens: null };
  route.traffic.ended({ status_code, duration_ms, ...nothing });
}

function countFinished(
  metrics: Metrics,
  call: Call,
  answer: Answer | null,
  facts: AnswerFacts | null,
  error: CallError | null,
): void {
  const ended = describeOutcome(answer?.upstream?.status ?? null, facts, error);
  const { status_code, outcome } = ended;
  const { timings, endpoint, route, sent } = call;
  const { queue_ms, ttft_ms } = durationsOf(timings);
  const now = performance.now();
  const duration_ms = now - timings.started;
  const span = observedSpan(call);
  const tokens = tokensOf(facts);
  route.metrics.finished(endpoint.name, {
    status_code,
    outcome,
    duration_ms,
    queue_ms,
    ttft_ms,
    span,
  });
  route.metrics.used(tokens, costOf(call, facts));
  // Requests that only return information, such as a token count, use no model.
  if (endpoint.isRecorded)
    metrics.genAi({
      endpoint: endpoint.name,
      replica: sent.replica,
      tokens,
      span,
      request_model: route.config.upstream_model ?? call.model,
      error: errorOf(ended),
      duration_ms: now - (timings.placed === 0 ? timings.forwarded : timings.placed),
      first_chunk_ms: call.body.stream ? ttft_ms : null,
    });
  const { completion_tokens } = tokens;
  route.traffic.ended({ status_code, duration_ms, ttft_ms, completion_tokens });
}

/** One object for all histograms; it holds nothing else of the call. */
function observedSpan({ trace }: Call): ObservedSpan | null {
  if (trace === null) return null;
  const { trace_id, span_id } = trace.place;
  return { trace_id, span_id, at: Date.now() };
}
