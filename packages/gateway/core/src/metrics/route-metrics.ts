import type { ErrorCode } from "@proj/gateway-protocol";
import type { EndpointName } from "@proj/model-apis";
import type { Registry } from "prom-client";
import type { Outcome } from "../call/outcome.ts";
import type { ObservedSpan, RouteMetrics } from "../call/route.ts";
import { oneForEach } from "../one-for-each.ts";
import { createCounter, createHistogram, type HistogramSeries } from "./series.ts";

const secondsBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600,
];

/** The metrics of requests, over all routes. */
export interface RequestMetrics {
  /** A request refused before its route was known. */
  refused(reason: ErrorCode): void;
  createRoute(model: string): RouteMetrics;
}

export function createRequestMetrics(registry: Registry): RequestMetrics {
  const admitted = createCounter(registry, {
    name: "gateway_requests_admitted_total",
    help: "Model requests that were accepted for their route.",
  });
  const refused = createCounter(registry, {
    name: "gateway_requests_refused_total",
    help: "Requests that the gateway answered with an error of its own, by the error's code; without model and endpoint where they were not known yet.",
  });
  const stopped = createCounter(registry, {
    name: "gateway_synthetic_stops_total",
    help: "Requests answered by the synthetic stop because a budget was reached.",
  });
  const replayed = createCounter(registry, {
    name: "gateway_requests_replayed_total",
    help: "Requests answered from the record of the session that theirs was forked from.",
  });
  const mismatched = createCounter(registry, {
    name: "gateway_engine_prompt_mismatches_total",
    help: "Answers of engines that were prompted with other token ids than they were sent.",
  });
  const finished = createCounter(registry, {
    name: "gateway_requests_finished_total",
    help: "Admitted requests that have ended, by recorded status code and outcome.",
  });
  const duration = createHistogram(registry, {
    name: "gateway_request_duration_seconds",
    help: "From the arrival of a request to the end of its answer.",
    buckets: secondsBuckets,
  });
  const firstByte = createHistogram(registry, {
    name: "gateway_time_to_first_byte_seconds",
    help: "From forwarding a request to the first byte of the body of the upstream's answer.",
    buckets: secondsBuckets,
  });
  const queueWait = createHistogram(registry, {
    name: "gateway_queue_wait_seconds",
    help: "How long a request waited for a place on its route.",
    buckets: [0.001, ...secondsBuckets],
  });
  const promptTokens = createCounter(registry, {
    name: "gateway_prompt_tokens_total",
    help: "Prompt tokens, as reported by the upstream.",
  });
  const completionTokens = createCounter(registry, {
    name: "gateway_completion_tokens_total",
    help: "Completion tokens, as reported by the upstream.",
  });
  const cachedTokens = createCounter(registry, {
    name: "gateway_cached_tokens_total",
    help: "Prompt tokens that the upstream had in its cache, as it reported them.",
  });
  const cost = createCounter(registry, {
    name: "gateway_cost_usd_total",
    help: "What calls cost by the prices of their routes, in US dollars.",
  });

  const createRoute = (model: string): RouteMetrics => {
    const endpointSeries = (endpoint: EndpointName) => {
      const labels = { model, endpoint };
      return {
        admitted: admitted(labels),
        refused: oneForEach((reason: ErrorCode) => refused({ ...labels, reason })),
        stopped: stopped(labels),
        replayed: replayed(labels),
        // Bounded: HTTP's status codes have three digits.
        finished: oneForEach((outcome: Outcome) =>
          oneForEach((status_code: number) => finished({ ...labels, status_code, outcome })),
        ),
        duration: duration(labels),
        firstByte: firstByte(labels),
      };
    };
    const all = new Map<EndpointName, ReturnType<typeof endpointSeries>>();
    const seriesOf = (endpoint: EndpointName) => {
      const series = all.get(endpoint);
      if (series === undefined) throw new Error(`'${endpoint}' is not an endpoint of '${model}'`);
      return series;
    };
    const waited = queueWait({ model });
    const prompt = promptTokens({ model });
    const completion = completionTokens({ model });
    const cached = cachedTokens({ model });
    const dollars = cost({ model });
    let mismatches: ReturnType<typeof mismatched> | null = null;
    return {
      serve: (endpoint) => {
        if (!all.has(endpoint)) all.set(endpoint, endpointSeries(endpoint));
      },
      admitted: (endpoint) => seriesOf(endpoint).admitted.add(1),
      refused: (endpoint, reason) => seriesOf(endpoint).refused(reason).add(1),
      stopped: (endpoint) => seriesOf(endpoint).stopped.add(1),
      replayed: (endpoint) => seriesOf(endpoint).replayed.add(1),
      promptMismatched: () => {
        // Only routes with an engine have this line.
        mismatches ??= mismatched({ model });
        mismatches.add(1);
      },
      finished: (endpoint, request) => {
        const { status_code, outcome, duration_ms, queue_ms, ttft_ms, span = null } = request;
        const { finished, duration, firstByte } = seriesOf(endpoint);
        finished(outcome)(status_code).add(1);
        observeMilliseconds(duration, duration_ms, span);
        observeMilliseconds(firstByte, ttft_ms, span);
        observeMilliseconds(waited, queue_ms, span);
      },
      used: ({ prompt_tokens, completion_tokens, cached_tokens }, cost_nano_usd) => {
        prompt.add(prompt_tokens ?? 0);
        completion.add(completion_tokens ?? 0);
        cached.add(cached_tokens ?? 0);
        dollars.add((cost_nano_usd ?? 0) / 1e9);
      },
    };
  };
  const refusedEarly = oneForEach((reason: ErrorCode) => refused({ reason }));
  return { refused: (reason) => refusedEarly(reason).add(1), createRoute };
}

function observeMilliseconds(
  histogram: HistogramSeries,
  duration: number | null,
  span: ObservedSpan | null,
): void {
  if (duration !== null) histogram.observe(Math.max(0, duration) / 1_000, span);
}
