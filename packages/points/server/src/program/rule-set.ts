import { folded } from "./address.ts";
import type { Program } from "./program.ts";

/** The part of a program that determines points. */
export type RuleSet = Pick<
  Program,
  | "pointsDecimal"
  | "pointsPerUsd"
  | "swapMultiplier"
  | "swapPairs"
  | "promotedPools"
  | "rateChanges"
  | "swapPriceMaxAge"
>;

/** The rules from some time until the next entry; the first entry also covers all time before it. */
export interface DatedRules {
  /** Unix seconds. */
  readonly valid_from: number;
  readonly rules: RuleSet;
}

/** Members in a fixed order, so that equal rules are equal JSON. */
export function ruleSetOf(program: Program): RuleSet {
  const { pointsDecimal, pointsPerUsd, swapMultiplier, rateChanges, swapPriceMaxAge } = program;
  const pairsOf = (pairs: Program["swapPairs"]) =>
    pairs.map(({ tokenX, tokenY }) => ({
      ...{ tokenX: folded(program, tokenX), tokenY: folded(program, tokenY) },
    }));
  const promotedPools = program.promotedPools.map(
    ({ address, pointsPerSecond, startCountTimestamp, endCountTimestamp }) => ({
      ...{ address: folded(program, address), pointsPerSecond, startCountTimestamp },
      ...(endCountTimestamp === undefined ? {} : { endCountTimestamp }),
    }),
  );
  const changes = rateChanges?.map(({ startTimestamp, swapPairs, ...rates }) => ({
    ...{ startTimestamp, ...rates },
    ...(swapPairs === undefined ? {} : { swapPairs: pairsOf(swapPairs) }),
  }));
  return {
    ...{ pointsDecimal, pointsPerUsd, swapMultiplier },
    ...{ swapPairs: pairsOf(program.swapPairs), promotedPools },
    ...(changes === undefined ? {} : { rateChanges: changes }),
    ...(swapPriceMaxAge === undefined ? {} : { swapPriceMaxAge }),
  };
}

/** The rates of swaps at a time, with all changes up to then. @param time Unix seconds */
export function ratesAt(
  rules: Pick<RuleSet, "pointsPerUsd" | "swapMultiplier" | "swapPairs" | "rateChanges">,
  time: number,
): Pick<RuleSet, "pointsPerUsd" | "swapMultiplier" | "swapPairs"> {
  const { pointsPerUsd, swapMultiplier, swapPairs, rateChanges = [] } = rules;
  let rates = { pointsPerUsd, swapMultiplier, swapPairs };
  const begun = rateChanges.filter(({ startTimestamp }) => Number(startTimestamp) <= time);
  for (const { startTimestamp: _, ...change } of begun.toSorted(byStart)) {
    rates = { ...rates, ...change };
  }
  return rates;
}

const byStart = (
  a: { readonly startTimestamp: string },
  b: { readonly startTimestamp: string },
): number => Number(a.startTimestamp) - Number(b.startTimestamp);
