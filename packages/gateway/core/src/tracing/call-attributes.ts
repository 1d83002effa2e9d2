import type { AnswerFacts, EndpointName } from "@proj/model-apis";
import type { Attributes } from "@proj/opentelemetry";
import type { Call } from "../call/call.ts";
import type { StepOutcome } from "../call/outcome.ts";
import { durationsOf } from "../call/timings.ts";
import { providerOf } from "./provider.ts";

/** `gen_ai.operation.name` for the API. */
export function operationOf(endpoint: EndpointName): string {
  if (endpoint === "completions") return "text_completion";
  return endpoint === "embeddings" ? "embeddings" : "chat";
}

/** The model name that the upstream is asked for. */
export const requestModelOf = ({ route, model }: Pick<Call, "route" | "model">): string =>
  route.config.upstream_model ?? model;

/** The value of `error.type`; null if the call did not fail. */
export function errorOf({ status_code, outcome }: StepOutcome): string | null {
  if (outcome === "pending") return null;
  if (outcome !== "completed") return outcome;
  return status_code >= 400 ? String(status_code) : null;
}

/**
 * A call's span attributes: GenAI semantic conventions 0.1, and our own under `gateway.`. What is not known is
 * undefined, in one literal: adding what is known one by one took longer than to encode it.
 * @param cost_nano_usd of the step; null if unknown
 */
export function callAttributes(
  call: Call,
  facts: AnswerFacts | null,
  { status_code, outcome }: StepOutcome,
  cost_nano_usd: number | null,
): Attributes {
  const { session_id, sent, body } = call;
  const { ttft_ms, queue_ms } = durationsOf(call.timings);
  const session = session_id ?? undefined;
  const finish_reason = facts?.finish_reason ?? null;
  return {
    "gen_ai.operation.name": operationOf(call.endpoint.name),
    "gen_ai.provider.name": providerOf(call.endpoint.name, sent.replica),
    "gen_ai.request.model": requestModelOf(call),
    "gateway.route": call.model,
    "gateway.request_id": call.request_id,
    "gateway.status_code": status_code,
    "gateway.outcome": outcome,
    "gateway.attempts": sent.attempts,
    "gateway.queue_ms": queue_ms ?? undefined,
    "gen_ai.conversation.id": session,
    "session.id": session,
    "gen_ai.agent.id": call.lineage?.id ?? undefined,
    "gateway.step_id": call.step_id === 0 ? undefined : call.step_id,
    "gateway.replayed": call.replayed === null ? undefined : true,
    "gen_ai.request.stream": body.stream ? true : undefined,
    "gen_ai.response.time_to_first_chunk":
      body.stream && ttft_ms !== null ? ttft_ms / 1_000 : undefined,
    "gen_ai.response.model": facts?.response_model ?? undefined,
    "gen_ai.response.id": facts?.object_id ?? undefined,
    "gen_ai.response.finish_reasons": finish_reason === null ? undefined : [finish_reason],
    "gen_ai.usage.input_tokens": facts?.prompt_tokens ?? undefined,
    "gen_ai.usage.output_tokens": facts?.completion_tokens ?? undefined,
    "gen_ai.usage.cache_read.input_tokens": facts?.cached_tokens ?? undefined,
    "gen_ai.usage.cache_write.input_tokens": facts?.cache_write_tokens ?? undefined,
    "gen_ai.usage.reasoning.output_tokens": facts?.reasoning_tokens ?? undefined,
    "gateway.cost_nano_usd": cost_nano_usd ?? undefined,
    // No convention names this yet, but receivers that show costs read it under this name.
    "gen_ai.usage.cost": cost_nano_usd === null ? undefined : cost_nano_usd / 1e9,
  };
}
