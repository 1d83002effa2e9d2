/** What two authors say about the same things. */
export type Pairs = readonly (readonly [string, string])[];

/**
 * Cohen's kappa: how much more often two authors agree than chance would have it. Null: there are no pairs, or both
 * always say the same one thing, so that chance explains everything.
 */
export function cohenKappa(pairs: Pairs): number | null {
  if (pairs.length === 0) return null;
  const first = countsOf(pairs.map(([one]) => one));
  const second = countsOf(pairs.map(([, other]) => other));
  const agreed = pairs.filter(([one, other]) => one === other).length / pairs.length;
  let chance = 0;
  for (const [said, times] of first) chance += times * (second.get(said) ?? 0);
  chance /= pairs.length ** 2;
  return chance === 1 ? null : (agreed - chance) / (1 - chance);
}

/** How far apart two values are: any difference is as bad as another, or the square of it. */
export type Level = "nominal" | "interval";

/**
 * Krippendorff's alpha: 1 minus what is observed of disagreement over what chance would have. Any number of authors;
 * each unit has the values that it was given, and units with fewer than two are left out. Null: no unit has two, or all
 * values are equal.
 */
export function krippendorffAlpha(
  units: readonly (readonly number[])[],
  level: Level,
): number | null {
  const distance = distances[level];
  const paired = units.filter((unit) => unit.length > 1);
  const all = paired.flat();
  let observed = 0;
  for (const unit of paired) observed += disagreement(unit, distance) / (unit.length - 1);
  const expected = disagreement(all, distance) / (all.length - 1);
  return expected > 0 ? 1 - observed / expected : null;
}

const distances: Readonly<Record<Level, (one: number, other: number) => number>> = {
  nominal: (one, other) => Number(one !== other),
  interval: (one, other) => (one - other) ** 2,
};

/** Summed over all ordered pairs; equal values are counted together, so that many values of few kinds are quick. */
function disagreement(
  values: readonly number[],
  distance: (one: number, other: number) => number,
): number {
  const counts = [...countsOf(values)];
  let total = 0;
  for (const [one, times] of counts)
    for (const [other, others] of counts) total += times * others * distance(one, other);
  return total;
}

function countsOf<T>(values: readonly T[]): ReadonlyMap<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
