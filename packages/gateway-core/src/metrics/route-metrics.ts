import type { ErrorCode } from "@proj/gateway-protocol";
import { Counter, Histogram, type Registry } from "prom-client";
import type { Endpoint } from "../pipeline/call.ts";
import type { Outcome } from "../telemetry/outcome.ts";

/** How an admitted request ended. Milliseconds; null where it did not come to it. */
export interface FinishedRequest {
  readonly status_code: number;
  readonly outcome: Outcome;
  readonly duration_ms: number;
  readonly queue_ms: number | null;
  readonly ttft_ms: number | null;
}

/** What is counted of the requests of one route. */
export interface RouteMetrics {
  admitted(endpoint: Endpoint): void;
  refused(endpoint: Endpoint, reason: ErrorCode): void;
  /** Answered by the synthetic stop. */
  stopped(endpoint: Endpoint): void;
  finished(endpoint: Endpoint, request: FinishedRequest): void;
  /** Null, and what is no count (an upstream may say anything), counts nothing. */
  tokens(prompt: number | null, completion: number | null): void;
}

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
  const registers = [registry];
  const byEndpoint = ["model", "endpoint"] as const;
  const admitted = new Counter({
    name: "gateway_requests_admitted_total",
    help: "Model requests that were accepted for their route.",
    labelNames: byEndpoint,
    registers,
  });
  const refused = new Counter({
    name: "gateway_requests_refused_total",
    help: "Requests that the gateway answered with an error of its own, by the error's code; without model and endpoint where they were not known yet.",
    labelNames: ["model", "endpoint", "reason"] as const,
    registers,
  });
  const stopped = new Counter({
    name: "gateway_synthetic_stops_total",
    help: "Requests answered by the synthetic stop because the step budget was reached.",
    labelNames: byEndpoint,
    registers,
  });
  const finished = new Counter({
    name: "gateway_requests_finished_total",
    help: "Admitted requests that have ended, by recorded status code and outcome.",
    labelNames: ["model", "endpoint", "status_code", "outcome"] as const,
    registers,
  });
  const duration = new Histogram({
    name: "gateway_request_duration_seconds",
    help: "From the arrival of a request until nothing of it is left.",
    labelNames: byEndpoint,
    buckets: secondsBuckets,
    registers,
  });
  const firstByte = new Histogram({
    name: "gateway_time_to_first_byte_seconds",
    help: "From forwarding a request to the first byte of the body of the upstream's answer.",
    labelNames: byEndpoint,
    buckets: secondsBuckets,
    registers,
  });
  const queueWait = new Histogram({
    name: "gateway_queue_wait_seconds",
    help: "How long a request waited for a place on its route.",
    labelNames: ["model"] as const,
    buckets: [0.001, ...secondsBuckets],
    registers,
  });
  const promptTokens = new Counter({
    name: "gateway_prompt_tokens_total",
    help: "Prompt tokens, as reported by the upstream.",
    labelNames: ["model"] as const,
    registers,
  });
  const completionTokens = new Counter({
    name: "gateway_completion_tokens_total",
    help: "Completion tokens, as reported by the upstream.",
    labelNames: ["model"] as const,
    registers,
  });

  const createRoute = (model: string): RouteMetrics => {
    const endpointChildren = (endpoint: Endpoint) => ({
      admitted: startAtZero(admitted.labels({ model, endpoint })),
      stopped: startAtZero(stopped.labels({ model, endpoint })),
      duration: duration.labels({ model, endpoint }),
      firstByte: firstByte.labels({ model, endpoint }),
    });
    const children = {
      chat_completions: endpointChildren("chat_completions"),
      responses: endpointChildren("responses"),
    } satisfies Record<Endpoint, unknown>;
    const waited = queueWait.labels({ model });
    const prompt = startAtZero(promptTokens.labels({ model }));
    const completion = startAtZero(completionTokens.labels({ model }));
    return {
      admitted: (endpoint) => children[endpoint].admitted.inc(),
      refused: (endpoint, reason) => refused.inc({ model, endpoint, reason }),
      stopped: (endpoint) => children[endpoint].stopped.inc(),
      finished: (endpoint, { status_code, outcome, duration_ms, queue_ms, ttft_ms }) => {
        finished.inc({ model, endpoint, status_code, outcome });
        observeMilliseconds(children[endpoint].duration, duration_ms);
        observeMilliseconds(children[endpoint].firstByte, ttft_ms);
        observeMilliseconds(waited, queue_ms);
      },
      tokens: (promptCount, completionCount) => {
        addCount(prompt, promptCount);
        addCount(completion, completionCount);
      },
    };
  };
  return { refused: (reason) => refused.inc({ reason }), createRoute };
}

/** A series that appears with its first event hides that event from `rate()`. */
function startAtZero(counter: Counter.Internal): Counter.Internal {
  counter.inc(0);
  return counter;
}

/** prom-client throws at what is not finite, and at a counter that goes back. */
function addCount(counter: Counter.Internal, count: number | null): void {
  if (count !== null && count > 0 && Number.isFinite(count)) counter.inc(count);
}

function observeMilliseconds(histogram: Histogram.Internal<string>, duration: number | null): void {
  if (duration !== null && Number.isFinite(duration))
    histogram.observe(Math.max(0, duration) / 1_000);
}
