import type { ScrapeFormat } from "../metrics/scrape-format.ts";
import { type Families, type PageSample, pageText, parsePage } from "./metrics-page.ts";

/** Metrics that are not summed over the workers: the largest or the smallest value counts. */
const largest = /^gateway_event_loop_lag_|^process_max_fds$/;
const smallest = /^process_start_time_seconds$/;

/**
 * One page of metrics over all workers: counters, histograms and gauges are summed, and the latest exemplar is
 * kept. A dead worker's counts stay included, as last read.
 */
export class MetricsMerger {
  /** By worker. */
  readonly #latest = new Map<number, Families>();
  #ofTheDead: Families = new Map();

  /** @param text the worker's `/metrics`, as OpenMetrics */
  read(worker: number, text: string): void {
    this.#latest.set(worker, parsePage(text));
  }

  /** A worker has died: whatever is read under its number from now on is its successor's. */
  died(worker: number): void {
    const last = this.#latest.get(worker);
    if (last === undefined) return;
    this.#latest.delete(worker);
    const counted = new Map([...last].filter(([, { kind }]) => kind !== "gauge"));
    this.#ofTheDead = merge([this.#ofTheDead, counted]);
  }

  /** @param own values of the front itself, by the name of their only sample */
  render(own: Readonly<Record<string, number>>, format: ScrapeFormat): string {
    const merged = merge([...this.#latest.values(), this.#ofTheDead]);
    for (const { samples } of merged.values())
      for (const [sample, { exemplar }] of samples) {
        const value = own[sample];
        if (value !== undefined) samples.set(sample, { value, exemplar });
      }
    return pageText(merged, format);
  }
}

function merge(all: readonly Families[]): Families {
  const merged: Families = new Map();
  for (const families of all) {
    for (const [name, { kind, help, samples }] of families) {
      const family = merged.get(name) ?? { kind, help, samples: new Map() };
      merged.set(name, family);
      for (const [sample, added] of samples) {
        const before = family.samples.get(sample);
        family.samples.set(sample, before === undefined ? added : joined(name, before, added));
      }
    }
  }
  return merged;
}

function joined(name: string, one: PageSample, other: PageSample): PageSample {
  const isOlder = (one.exemplar?.at ?? 0) < (other.exemplar?.at ?? 0);
  return {
    value: joinedValue(name, one.value, other.value),
    exemplar: isOlder ? other.exemplar : one.exemplar,
  };
}

function joinedValue(name: string, one: number, other: number): number {
  if (largest.test(name)) return Math.max(one, other);
  return smallest.test(name) ? Math.min(one, other) : one + other;
}
