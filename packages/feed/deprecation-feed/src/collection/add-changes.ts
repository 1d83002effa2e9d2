import type { Change } from "./catalogue.ts";

/** Older ones are dropped: feed readers have long seen them. */
const keptChanges = 1000;

/**
 * Adds new changes to the known ones. A date that moves twice on the same day is one change, because its item's id
 * contains the day.
 */
export function addChanges(known: readonly Change[], fresh: readonly Change[]): readonly Change[] {
  const byKey = new Map(known.map((change) => [keyOf(change), change]));
  for (const change of fresh) {
    const earlier = byKey.get(keyOf(change));
    const from = earlier?.from ?? change.from;
    byKey.delete(keyOf(change));
    if (from !== change.to) byKey.set(keyOf(change), { ...change, from });
  }
  return [...byKey.values()].slice(-keptChanges);
}

const keyOf = ({ slug, model_id, field, date_observed }: Change): string =>
  JSON.stringify([slug, model_id, field, date_observed.slice(0, 10)]);
