import type { Registry } from "prom-client";
import {
  type Labels,
  type MetricDescription,
  registerScrapedMetric,
  type Sample,
} from "./scraped-metric.ts";

export interface HistogramDescription extends MetricDescription {
  /** Upper bounds, ascending, each of them inclusive; without the infinite one. */
  readonly buckets: readonly number[];
}

/** What the lines of one set of labels tell. */
export class HistogramSeries {
  readonly #labels: Labels;
  readonly #bounds: Float64Array;
  /** Each bucket by itself, and last what is above all bounds; cumulated when they are read. */
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(labels: Labels, bounds: Float64Array) {
    this.#labels = labels;
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  /** What is not finite is not observed: it would spoil the sum for good. */
  observe(value: number): void {
    if (!Number.isFinite(value)) return;
    let index = 0;
    while (value > (this.#bounds[index] ?? Number.POSITIVE_INFINITY)) index += 1;
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#sum += value;
  }

  /** None of a series with labels before its first observation: they are many, and tell nothing. */
  samples(name: string): Sample[] {
    const labels = this.#labels;
    const samples: Sample[] = [];
    let count = 0;
    for (const [index, ownCount] of this.#counts.entries()) {
      count += ownCount;
      const le = this.#bounds[index] ?? "+Inf";
      samples.push({ metricName: `${name}_bucket`, labels: { le, ...labels }, value: count });
    }
    if (count === 0 && Object.keys(labels).length > 0) return [];
    samples.push({ metricName: `${name}_sum`, labels, value: this.#sum });
    samples.push({ metricName: `${name}_count`, labels, value: count });
    return samples;
  }
}

/** Registers a histogram. The function returned adds a series, once for each set of labels. */
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
