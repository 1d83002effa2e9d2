import type { Registry } from "prom-client";
import { type Labels, type MetricDescription, registerScrapedMetric } from "./scraped-metric.ts";

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
