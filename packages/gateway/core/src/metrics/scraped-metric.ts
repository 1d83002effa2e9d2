import type { ErrorCode } from "@proj/gateway-protocol";
import type { EndpointName } from "@proj/model-apis";
import type { SpanLoss } from "@proj/opentelemetry";
import {
  Counter,
  Histogram,
  type MetricObjectWithValues,
  type MetricValueWithName,
  type Registry,
} from "prom-client";
import type { Outcome } from "../call/outcome.ts";
import type { ObservedSpan } from "../call/route.ts";
import type { LossReason } from "../telemetry/recorder-observer.ts";

/** All labels that exist: never a session, and `model` is always a route key. */
export type Labels = Readonly<{
  model?: string;
  endpoint?: EndpointName;
  status_code?: number;
  outcome?: Outcome;
  reason?: ErrorCode | LossReason | SpanLoss;
  gen_ai_operation_name?: string;
  gen_ai_provider_name?: string;
  gen_ai_request_model?: string;
  gen_ai_token_type?: "input" | "output";
  gen_ai_token_modality?: string;
  error_type?: string;
}>;

export interface MetricDescription {
  readonly name: string;
  readonly help: string;
}

/** One line of the text; `metricName` if it differs from the metric's own name. */
export type Sample = Omit<MetricValueWithName<string>, "metricName" | "exemplar"> & {
  readonly metricName?: string;
  readonly exemplar?: Exemplar;
};

/** The span of one of the observations that a line counts. */
export interface Exemplar {
  readonly span: ObservedSpan;
  readonly value: number;
}

type Kind = "counter" | "histogram";

const kinds = { counter: Counter, histogram: Histogram } satisfies Record<Kind, unknown>;

/**
 * Registers a metric whose samples are computed only when the registry is read. prom-client's own counters
 * and histograms build a key from all labels on every event, which is too slow for each request.
 */
export function registerScrapedMetric(
  registry: Registry,
  kind: Kind,
  description: MetricDescription,
  readSamples: () => Sample[],
): void {
  registry.registerMetric(new ScrapedMetric(kind, description, readSamples));
}

/**
 * Overrides `get()`, the typed method by which a registry reads a metric. `Counter` is the base of histograms
 * too: of a `Histogram` the registry calls another method, which has no type. The `collect` hook does not help:
 * prom-client cannot set a histogram's buckets.
 */
class ScrapedMetric extends Counter {
  /** Provides what prom-client returns for this kind of metric besides its samples. */
  readonly #empty: Counter | Histogram;
  readonly #readSamples: () => Sample[];

  constructor(kind: Kind, description: MetricDescription, readSamples: () => Sample[]) {
    super({ ...description, registers: [] });
    this.#empty = new kinds[kind]({ ...description, registers: [] });
    this.#readSamples = readSamples;
  }

  override async get(): Promise<MetricObjectWithValues<Sample>> {
    return { ...(await this.#empty.get()), values: this.#readSamples() };
  }
}
