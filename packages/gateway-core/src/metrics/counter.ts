import type { Registry } from "prom-client";
import { type Labels, type MetricDescription, registerScrapedMetric } from "./scraped-metric.ts";

/** What one line of the text counts. */
export class CounterSeries {
  readonly labels: Labels;
  value = 0;

  constructor(labels: Labels) {
    this.labels = labels;
  }

  /** Only a positive, finite number counts: a counter never goes back. */
  add(count: number): void {
    if (count > 0 && count < Number.POSITIVE_INFINITY) this.value += count;
  }
}

/**
 * Registers a counter. The function returned adds a series, once for each set of labels; its line is
 * there from then on, at zero: a series that appears with its first event hides it from `rate()`.
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
