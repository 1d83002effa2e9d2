import { studentQuantile } from "./distributions.ts";

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Null: there are no values. */
export const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : sum(values) / values.length;

/** Whether there are several and all are equal: a trainer that compares them learns nothing. */
export const areEqual = (values: readonly number[]): boolean =>
  values.length > 1 && values.every((value) => value === values[0]);

/** The standard deviation of a sample; null: there are fewer than two values. */
export function deviation(values: readonly number[]): number | null {
  const centre = mean(values);
  if (centre === null || values.length < 2) return null;
  return Math.sqrt(sum(values.map((value) => (value - centre) ** 2)) / (values.length - 1));
}

/**
 * The standard error of the mean over all values, clustered (Liang and Zeger, with C / (C - 1) for C clusters): values
 * of one task are alike, hundreds of rollouts of a few tasks say little. Null: there are fewer than two clusters.
 */
export function clusteredError(clusters: readonly (readonly number[])[]): number | null {
  const values = clusters.flat();
  const centre = mean(values);
  if (centre === null || clusters.length < 2) return null;
  const squares = clusters.map((cluster) => sum(cluster.map((value) => value - centre)) ** 2);
  const correction = clusters.length / (clusters.length - 1);
  return Math.sqrt(sum(squares) * correction) / values.length;
}

/** By Student's t, with one degree of freedom less than there are independent values. Null: there is no error. */
export function studentInterval(
  centre: number | null,
  error: number | null,
  independent: number,
  confidence: number,
): Interval | null {
  if (centre === null || error === null) return null;
  const reach = studentQuantile((1 + confidence) / 2, independent - 1) * error;
  return { low: centre - reach, high: centre + reach };
}

/** Neumaier's sum: what rounding loses is added at the end. */
export function sum(values: readonly number[]): number {
  let [total, lost] = [0, 0];
  for (const value of values) {
    const next = total + value;
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
    total = next;
  }
  return total + lost;
}
