import { type Interval, sum } from "./means.ts";
import type { Random } from "./random.ts";

/**
 * Draws whole clusters with replacement, again and again, and returns the mean over all values of each draw, in
 * ascending order. Empty: there are no clusters.
 */
export function resampledMeans(
  clusters: readonly (readonly number[])[],
  draws: number,
  random: Random,
): readonly number[] {
  const parts = clusters.map((cluster) => ({ total: sum(cluster), n: cluster.length }));
  if (parts.length === 0) return [];
  const means = Array.from({ length: draws }, () => {
    let [total, n] = [0, 0];
    for (let drawn = 0; drawn < parts.length; drawn += 1) {
      const part = parts[Math.floor(random() * parts.length)];
      total += part?.total ?? 0;
      n += part?.n ?? 0;
    }
    return total / n;
  });
  return means.sort((one, other) => one - other);
}

/** Between two percentiles of ascending values. Null: there are none. */
export function percentileInterval(
  ascending: readonly number[],
  confidence: number,
): Interval | null {
  if (ascending.length === 0) return null;
  const outside = (1 - confidence) / 2;
  return { low: percentile(ascending, outside), high: percentile(ascending, 1 - outside) };
}

/** With straight lines between the values, as NumPy does it. */
function percentile(ascending: readonly number[], share: number): number {
  const place = share * (ascending.length - 1);
  const before = Math.floor(place);
  const low = ascending[before] ?? Number.NaN;
  const high = ascending[before + 1] ?? low;
  return low + (high - low) * (place - before);
}
