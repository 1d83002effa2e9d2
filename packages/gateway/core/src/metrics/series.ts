import type { ErrorCode } from "@proj/gateway-protocol";
import type { EndpointName } from "@proj/model-apis";
import type { SpanLoss } from "@proj/opentelemetry";
import {
  Counter,
  Gauge,
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

type Kind = "counter" | "gauge" | "histogram";

const kinds = { counter: Counter, gauge: Gauge, histogram: Histogram } satisfies Record<
  Kind,
  unknown
>;

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
  readonly #empty: Counter | Gauge | Histogram;
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

/** Registers a metric of one line without labels. @param read called at each scrape; null leaves the line out */
export function exposeValue(
  registry: Registry,
  kind: "counter" | "gauge",
  description: MetricDescription,
  read: () => number | null,
): void {
  registerScrapedMetric(registry, kind, description, () => {
    const value = read();
    return value === null ? [] : [{ labels: {}, value }];
  });
}

/** One series of a counter, exposed as one line. */
export class CounterSeries {
  readonly labels: Labels;
  value = 0;

  constructor(labels: Labels) {
    this.labels = labels;
  }

  /** Ignores everything but a positive, finite number: a counter never decreases. */
  add(count: number): void {
    if (count > 0 && count < Number.POSITIVE_INFINITY) this.value += count;
  }
}

/**
 * Registers a counter. The returned function adds a series, once for each set of labels. The line is exposed
 * from then on, starting at zero: a series that appears with its first event hides that event from `rate()`.
 */
export function createCounter(
  registry: Registry,
  description: MetricDescription,
): (labels: Labels) => CounterSeries {
  const all: CounterSeries[] = [];
  registerScrapedMetric(registry, "counter", description, () => all);
  return (labels) => {
    const series = new CounterSeries(labels);
    all.push(series);
    return series;
  };
}

export interface HistogramDescription extends MetricDescription {
  /** Inclusive upper bounds, ascending, without the infinite one. */
  readonly buckets: readonly number[];
}

/** The histogram of one set of labels. */
export class HistogramSeries {
  readonly #labels: Labels;
  readonly #bounds: Float64Array;
  /** Each bucket's own count; the last is for values beyond all bounds. Summed up when they are read. */
  readonly #counts: Float64Array;
  #sum = 0;
  /** The span of each bucket's latest traced observation, and what was observed. */
  readonly #spans: (ObservedSpan | undefined)[] = [];
  readonly #spanValues: number[] = [];

  constructor(labels: Labels, bounds: Float64Array) {
    this.#labels = labels;
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  /**
   * Ignores a value that is not finite, which would spoil the sum for good.
   * @param span of the observed call; null: it is not traced
   */
  observe(value: number, span: ObservedSpan | null = null): void {
    if (!Number.isFinite(value)) return;
    let index = 0;
    while (value > (this.#bounds[index] ?? Number.POSITIVE_INFINITY)) index += 1;
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#sum += value;
    if (span === null) return;
    this.#spans[index] = span;
    this.#spanValues[index] = value;
  }

  /**
   * A series with labels exposes nothing before its first observation: there are many, and all would be zero.
   */
  samples(name: string): Sample[] {
    const labels = this.#labels;
    const samples: Sample[] = [];
    let count = 0;
    for (const [index, ownCount] of this.#counts.entries()) {
      count += ownCount;
      const le = this.#bounds[index] ?? "+Inf";
      const span = this.#spans[index];
      samples.push({
        metricName: `${name}_bucket`,
        labels: { le, ...labels },
        value: count,
        ...(span === undefined ? {} : { exemplar: { span, value: this.#spanValues[index] ?? 0 } }),
      });
    }
    if (count === 0 && Object.keys(labels).length > 0) return [];
    samples.push({ metricName: `${name}_sum`, labels, value: this.#sum });
    samples.push({ metricName: `${name}_count`, labels, value: count });
    return samples;
  }
}

/** Registers a histogram. The returned function adds a series, once for each set of labels. */
export function createHistogram(
  registry: Registry,
  { name, help, buckets }: HistogramDescription,
): (labels: Labels) => HistogramSeries {
  const all: HistogramSeries[] = [];
  const bounds = Float64Array.from(buckets);
  registerScrapedMetric(registry, "histogram", { name, help }, () =>
    all.flatMap((series) => series.samples(name)),
  );
  return (labels) => {
    const series = new HistogramSeries(labels, bounds);
    all.push(series);
    return series;
  };
}
