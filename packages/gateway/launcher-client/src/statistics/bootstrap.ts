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
): Float64Array {
  const [totals, sizes] = [
    Float64Array.from(clusters, sum),
    Float64Array.from(clusters, ({ length }) => length),
  ];
  const means = new Float64Array(clusters.length === 0 ? 0 : draws);
  // Millions of draws: objects would take several times as long as numbers side by side.
  for (let draw = 0; draw < means.length; draw += 1) {
    let [total, n] = [0, 0];
    for (let drawn = 0; drawn < totals.length; drawn += 1) {
      const cluster = Math.floor(random() * totals.length);
      total += totals[cluster] ?? 0;
      n += sizes[cluster] ?? 0;
    }
    means[draw] = total / n;
  }
  return means.sort();
}

/** Between two percentiles of ascending values. Null: there are none. */
export function percentileInterval(
  ascending: ArrayLike<number>,
  confidence: number,
): Interval | null {
  if (ascending.length === 0) return null;
  const outside = (1 - confidence) / 2;
  return { low: percentile(ascending, outside), high: percentile(ascending, 1 - outside) };
}

/** With straight lines between the values, as NumPy does it. */
function percentile(ascending: ArrayLike<number>, share: number): number {
  const place = share * (ascending.length - 1);
  const before = Math.floor(place);
  const low = ascending[before] ?? Number.NaN;
  const high = ascending[before + 1] ?? low;
  return low + (high - low) * (place - before);
}
