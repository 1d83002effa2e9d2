import { type AnswerFacts, type EndpointName, endpointsByName } from "@proj/model-apis";
import type { Attributes } from "@proj/opentelemetry";
import type { Call } from "../call/call.ts";
import type { StepOutcome } from "../call/outcome.ts";
import { durationsOf } from "../call/timings.ts";
import { oneForEach } from "../one-for-each.ts";

/** `gen_ai.operation.name` for the API. */
export function operationOf(endpoint: EndpointName): string {
  if (endpoint === "completions") return "text_completion";
  return endpoint === "embeddings" ? "embeddings" : "chat";
}

/** The model name that the upstream is asked for. */
export const requestModelOf = ({ route, model }: Pick<Call, "route" | "model">): string =>
  route.config.upstream_model ?? model;

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

/** Well-known values of `gen_ai.provider.name`, by the end of the upstream's host name. */
const providers: readonly (readonly [host: string, provider: string])[] = [
  ["openai.com", "openai"],
  ["openai.azure.com", "azure.ai.openai"],
  ["anthropic.com", "anthropic"],
  ["generativelanguage.googleapis.com", "gcp.gemini"],
  ["aiplatform.googleapis.com", "gcp.vertex_ai"],
  ["amazonaws.com", "aws.bedrock"],
  ["mistral.ai", "mistral_ai"],
  ["deepseek.com", "deepseek"],
  ["groq.com", "groq"],
  ["x.ai", "x_ai"],
  ["cohere.com", "cohere"],
  ["perplexity.ai", "perplexity"],
  ["moonshot.ai", "moonshot_ai"],
];

/** By the replica's name; null: the conventions have no value for it. */
const knownProvider = oneForEach((replica: string | null): string | null => {
  const host = replica !== null && URL.canParse(replica) ? new URL(replica).hostname : "";
  const known = providers.find(([end]) => host === end || host.endsWith(`.${end}`));
  return known?.[1] ?? null;
});

/** For any other upstream, the conventions ask for the provider whose API it speaks. */
export function providerOf(endpoint: EndpointName, replica: string | null): string {
  const known = knownProvider(replica);
  if (known !== null) return known;
  return endpointsByName[endpoint].provider;
}

/** Where attempts are sent, as their spans say it. */
interface Server {
  readonly address: string;
  readonly port: number;
}

/** By the replica's name, which is its base URL. */
export const serverOf: (replica: string) => Server = oneForEach((replica: string) => {
  const { hostname, port, protocol } = new URL(replica);
  return { address: hostname, port: port === "" ? defaultPort(protocol) : Number(port) };
});

const defaultPort = (protocol: string): number => (protocol === "https:" ? 443 : 80);

/**
 * @param attempts the call's attempts so far, including this one
 * @param status null: no answer began
 */
export function attemptAttributes(
  { address, port }: Server,
  attempts: number,
  status: number | null,
): Attributes {
  return {
    "http.request.method": "POST",
    "server.address": address,
    "server.port": port,
    "http.request.resend_count": attempts > 1 ? attempts - 1 : undefined,
    "http.response.status_code": status ?? undefined,
  };
}
