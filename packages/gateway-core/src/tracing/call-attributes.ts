import type { EndpointName } from "@proj/gateway-protocol";
import type { Attributes, AttributeValue } from "@proj/opentelemetry";
import type { AnswerFacts } from "../bodies/answer-facts.ts";
import type { TokenCounts } from "../bodies/token-counts.ts";
import type { Call } from "../call/call.ts";
import { durationsOf } from "../call/timings.ts";
import type { StepOutcome } from "../recording/outcome.ts";
import { providerOf } from "./provider.ts";

/** `gen_ai.operation.name` for the API. */
export function operationOf(endpoint: EndpointName): string {
  if (endpoint === "completions") return "text_completion";
  return endpoint === "embeddings" ? "embeddings" : "chat";
}

/** The model name that the upstream is asked for. */
export const requestModelOf = ({ route, model }: Pick<Call, "route" | "model">): string =>
  route.upstream_model ?? model;

/** The value of `error.type`; null if the call did not fail. */
export function errorOf({ status_code, outcome }: StepOutcome): string | null {
  if (outcome === "pending") return null;
  if (outcome !== "completed") return outcome;
  return status_code >= 400 ? String(status_code) : null;
}

type Known = Record<string, AttributeValue>;

/**
 * A call's span attributes: GenAI semantic conventions 0.1, and our own under `gateway.`. What is not known is
 * not set, one by one: leaving it out of the whole object would mean to copy that for each call.
 * @param cost_nano_usd of the step; null if unknown
 */
export function callAttributes(
  call: Call,
  facts: AnswerFacts | null,
  { status_code, outcome }: StepOutcome,
  cost_nano_usd: number | null,
): Attributes {
  const { lineage, session_id, replica, body } = call;
  const { ttft_ms, queue_ms } = durationsOf(call.timings);
  const known: Known = {
    "gen_ai.operation.name": operationOf(call.endpoint.name),
    "gen_ai.provider.name": providerOf(call.endpoint.name, replica),
    "gen_ai.request.model": requestModelOf(call),
    "gateway.route": call.model,
    "gateway.request_id": call.request_id,
    "gateway.status_code": status_code,
    "gateway.outcome": outcome,
    "gateway.attempts": call.attempts,
    "gateway.queue_ms": queue_ms,
  };
  if (session_id !== null) {
    known["gen_ai.conversation.id"] = session_id;
    known["session.id"] = session_id;
  }
  if (lineage?.id != null) known["gen_ai.agent.id"] = lineage.id;
  if (call.step_id !== 0) known["gateway.step_id"] = call.step_id;
  if (call.replayed !== null) known["gateway.replayed"] = true;
  if (body.stream) {
    known["gen_ai.request.stream"] = true;
    if (ttft_ms !== null) known["gen_ai.response.time_to_first_chunk"] = ttft_ms / 1_000;
  }
  if (facts !== null) addAnswer(known, facts);
  addCost(known, cost_nano_usd);
  return known;
}

function addAnswer(known: Known, facts: AnswerFacts): void {
  const { response_model, object_id, finish_reason } = facts;
  if (response_model !== null) known["gen_ai.response.model"] = response_model;
  if (object_id !== null) known["gen_ai.response.id"] = object_id;
  if (finish_reason !== null) known["gen_ai.response.finish_reasons"] = [finish_reason];
  addTokens(known, facts);
}

function addTokens(known: Known, tokens: TokenCounts): void {
  const { prompt_tokens, completion_tokens } = tokens;
  const { cached_tokens, cache_write_tokens, reasoning_tokens } = tokens;
  if (prompt_tokens !== null) known["gen_ai.usage.input_tokens"] = prompt_tokens;
  if (completion_tokens !== null) known["gen_ai.usage.output_tokens"] = completion_tokens;
  if (cached_tokens !== null) known["gen_ai.usage.cache_read.input_tokens"] = cached_tokens;
  if (cache_write_tokens !== null)
    known["gen_ai.usage.cache_write.input_tokens"] = cache_write_tokens;
  if (reasoning_tokens !== null) known["gen_ai.usage.reasoning.output_tokens"] = reasoning_tokens;
}

function addCost(known: Known, cost_nano_usd: number | null): void {
  if (cost_nano_usd === null) return;
  known["gateway.cost_nano_usd"] = cost_nano_usd;
  // No convention names this yet, but receivers that show costs read it under this name.
  known["gen_ai.usage.cost"] = cost_nano_usd / 1e9;
}
