import type { EndpointName, TokenCounts } from "@proj/model-apis";
import type { Registry } from "prom-client";
import type { ObservedSpan } from "../call/route.ts";
import { oneForEach } from "../one-for-each.ts";
import { operationOf, providerOf } from "../tracing/call-attributes.ts";
import { createCounter, createHistogram, type Labels } from "./series.ts";

/** A call that was forwarded and has ended. */
export interface GenAiCall {
  readonly endpoint: EndpointName;
  /** The model that the upstream was asked for: a route key, or what its configuration names. */
  readonly request_model: string;
  /** Where it was forwarded to, by name. */
  readonly replica: string | null;
  /** For `error.type`; null: it did not fail. */
  readonly error: string | null;
  /** How long the upstream had it, in milliseconds. */
  readonly duration_ms: number;
  /** Milliseconds to the first chunk of a stream; null: not a stream, or no chunk came. */
  readonly first_chunk_ms: number | null;
  readonly tokens: TokenCounts;
  /** Its span; null: it is not traced. */
  readonly span: ObservedSpan | null;
}

// Both as the conventions advise.
const secondsBuckets = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
];
const tokenBuckets = Array.from({ length: 14 }, (_, power) => 4 ** power);

type CountName = Exclude<keyof TokenCounts, "billed">;

/** The token counters, by the count that each adds up. */
const tokenCounters = {
  prompt_tokens: ["input_tokens", "Input tokens, cached ones included."],
  completion_tokens: ["output_tokens", "Output tokens, reasoning included."],
  cached_tokens: ["cache_read_input_tokens", "Input tokens read from a cache."],
  cache_write_tokens: ["cache_write_input_tokens", "Input tokens written to a cache."],
  reasoning_tokens: ["reasoning_output_tokens", "Output tokens of reasoning."],
} satisfies Record<CountName, readonly [name: string, help: string]>;

/**
 * The metrics of the GenAI semantic conventions, under the names that Prometheus gives them: the
 * histograms of version 1.41, which dashboards know, and the token counters of the version after it.
 * `gen_ai.response.model` is never a label, because an upstream may say anything.
 */
export function createGenAiMetrics(registry: Registry): (call: GenAiCall) => void {
  const duration = createHistogram(registry, {
    name: "gen_ai_client_operation_duration_seconds",
    help: "GenAI operation duration, without the wait for a place on the route.",
    buckets: secondsBuckets,
  });
  const firstChunk = createHistogram(registry, {
    name: "gen_ai_client_operation_time_to_first_chunk_seconds",
    help: "Time to receive the first chunk of a stream.",
    buckets: secondsBuckets,
  });
  const tokenUsage = createHistogram(registry, {
    name: "gen_ai_client_token_usage",
    help: "Number of input and output tokens used.",
    buckets: tokenBuckets,
  });
  const counters = Object.entries(tokenCounters).map(([count, [name, help]]) => ({
    count: count as CountName,
    series: createCounter(registry, {
      name: `gen_ai_client_inference_usage_${name}_total`,
      help,
    }),
  }));

  const seriesOf = (labels: Labels) => {
    const usage = { ...labels, gen_ai_token_modality: "unknown" };
    return {
      succeeded: duration(labels),
      failed: oneForEach((error_type: string) => duration({ ...labels, error_type })),
      firstChunk: firstChunk(labels),
      input: tokenUsage({ ...labels, gen_ai_token_type: "input" }),
      output: tokenUsage({ ...labels, gen_ai_token_type: "output" }),
      // The conventions define these only for inference.
      counters:
        labels.gen_ai_operation_name === "embeddings"
          ? []
          : counters.map(({ count, series }) => ({ count, series: series(usage) })),
    };
  };
  // Few of each, because the configuration names them. Endpoints and replicas can share labels.
  const byLabels = oneForEach((gen_ai_request_model: string) =>
    oneForEach((gen_ai_operation_name: string) =>
      oneForEach((gen_ai_provider_name: string) =>
        seriesOf({ gen_ai_operation_name, gen_ai_provider_name, gen_ai_request_model }),
      ),
    ),
  );
  const byCall = oneForEach((request_model: string) =>
    oneForEach((endpoint: EndpointName) =>
      oneForEach((replica: string | null) =>
        byLabels(request_model)(operationOf(endpoint))(providerOf(endpoint, replica)),
      ),
    ),
  );

  return ({
    endpoint,
    request_model,
    replica,
    error,
    tokens,
    span,
    duration_ms,
    first_chunk_ms,
  }) => {
    const series = byCall(request_model)(endpoint)(replica);
    const ended = error === null ? series.succeeded : series.failed(error);
    ended.observe(Math.max(0, duration_ms) / 1_000, span);
    if (first_chunk_ms !== null)
      series.firstChunk.observe(Math.max(0, first_chunk_ms) / 1_000, span);
    if (tokens.prompt_tokens !== null) series.input.observe(tokens.prompt_tokens, span);
    if (tokens.completion_tokens !== null) series.output.observe(tokens.completion_tokens, span);
    for (const counter of series.counters) counter.series.add(tokens[counter.count] ?? 0);
  };
}
