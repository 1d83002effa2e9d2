import type { Registry } from "prom-client";
import type { ObservedSpan } from "../call/route.ts";
import {
  type Labels,
  type MetricDescription,
  registerScrapedMetric,
  type Sample,
} from "./scraped-metric.ts";

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
