import type { EndpointName, ErrorCode } from "@proj/gateway-protocol";
import type { SpanLoss } from "@proj/opentelemetry";
import {
  Counter,
  Histogram,
  type MetricObjectWithValues,
  type MetricValueWithName,
  type Registry,
} from "prom-client";
import type { Outcome } from "../recording/outcome.ts";
import type { LossReason } from "../telemetry/recorder-observer.ts";

/** All the labels there are: never a session, and `model` is a route key. */
export type Labels = Readonly<{
  model?: string;
  endpoint?: EndpointName;
  status_code?: number;
  outcome?: Outcome;
  reason?: ErrorCode | LossReason | SpanLoss;
}>;

export interface MetricDescription {
  readonly name: string;
  readonly help: string;
}

/** A line of the text; `metricName` where that is not the metric's own name. */
export type Sample = MetricValueWithName<string>;

type Kind = "counter" | "histogram";

const kinds = { counter: Counter, histogram: Histogram } satisfies Record<Kind, unknown>;

/**
 * Registers a metric whose samples are asked for only when the registry is read. prom-client's own
 * counters and histograms build a key of all labels at every event, which is too much for a request.
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
 * Overrides `get()`, the typed method by which a registry reads a metric. `Counter` is the base of
 * histograms as well: of a `Histogram` the registry reads another method, which has no type; and the
 * hook `collect` could not set a histogram's buckets, as prom-client offers no way to.
 */
class ScrapedMetric extends Counter {
  /** For what prom-client says of a metric of this kind beside its samples. */
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
