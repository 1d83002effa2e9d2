import { pairKey } from "../ledger/streams.ts";
import type { Season } from "../program/program.ts";
import { type DatedRules, ratesAt } from "../program/rule-set.ts";
import { Promotion, type Stretch } from "./promotion.ts";
import { SwapRules } from "./swap-rules.ts";

/** A period in which all swaps of a pair earn at the same rate. */
export interface SwapPeriod {
  /** Unix seconds: swaps later than this … */
  readonly after: number;
  /** … up to and including this. */
  readonly until: number;
  /** How much a dollar counts, as a multiple of the common unit of all rates. */
  readonly weight: bigint;
  /** How many seconds older than a swap the price that values it may be. */
  readonly priceMaxAge: number;
}

/** Unix seconds: from `start` (inclusive) to `end` (exclusive). */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const defaultPriceMaxAge = 3_600;

export const allTimes: Span = { start: 0, end: Number.MAX_SAFE_INTEGER };

/** What earns how much, and when: the whole history of a program, ready to be applied. */
export interface Rules {
  readonly swapPeriods: ReadonlyMap<string, readonly SwapPeriod[]>;
  readonly promotions: ReadonlyMap<string, Promotion>;
  readonly swaps: SwapRules;
  /** Equal texts give equal sums for the same events. */
  readonly text: string;
}

export const spanOf = ({ startTimestamp, endTimestamp }: Season): Span => ({
  start: Number(startTimestamp),
  end: endTimestamp === undefined ? allTimes.end : Number(endTimestamp),
});

interface RatePeriod extends Span {
  /** `pointsPerUsd` × `swapMultiplier` */
  factor: bigint;
  readonly priceMaxAge: number;
}

/** @param history by `valid_from`, not empty @param span only what is earned in it counts */
export function compileRules(history: readonly DatedRules[], span: Span = allTimes): Rules {
  const factors = new Map<string, RatePeriod[]>();
  const stretches = new Map<string, Stretch[]>();
  for (const [index, { valid_from, rules }] of history.entries()) {
    const start = Math.max(index === 0 ? 0 : valid_from, span.start);
    const end = Math.min(history[index + 1]?.valid_from ?? allTimes.end, span.end);
    if (end <= start) continue;
    addRates(factors, rules, { start, end });
    for (const pool of rules.promotedPools) {
      const stretch = {
        pointsPerSecond: BigInt(pool.pointsPerSecond),
        start: Math.max(Number(pool.startCountTimestamp), start),
        end: Math.min(Number(pool.endCountTimestamp ?? allTimes.end), end),
      };
      if (stretch.end > stretch.start) addStretch(stretches, pool.address, stretch);
    }
  }
  const unit = [...factors.values()].flat().reduce((gcd, { factor }) => gcdOf(gcd, factor), 0n);
  const swapPeriods = new Map(
    [...factors]
      .sort()
      .map(([pair, periods]) => [pair, periods.map((period) => swapPeriod(period, unit))]),
  );
  const pointsDecimal = history.at(-1)?.rules.pointsDecimal ?? 0;
  return {
    swapPeriods,
    promotions: new Map([...stretches].sort().map(([pool, own]) => [pool, new Promotion(own)])),
    swaps: new SwapRules(unit, pointsDecimal),
    text: JSON.stringify([[...swapPeriods], [...stretches].sort()], (_key, value) =>
      typeof value === "bigint" ? String(value) : value,
    ),
  };
}

function addRates(
  factors: Map<string, RatePeriod[]>,
  rules: DatedRules["rules"],
  { start, end }: Span,
): void {
  const { swapPriceMaxAge: priceMaxAge = defaultPriceMaxAge } = rules;
  const changes = (rules.rateChanges ?? []).map(({ startTimestamp }) => Number(startTimestamp));
  const inside = changes.filter((time) => time > start && time < end);
  const borders = [start, ...[...new Set(inside)].sort((a, b) => a - b), end];
  for (const [index, border] of borders.slice(0, -1).entries()) {
    const { pointsPerUsd, swapMultiplier, swapPairs } = ratesAt(rules, border);
    const factor = BigInt(pointsPerUsd) * BigInt(swapMultiplier);
    const period = { start: border, end: borders[index + 1] ?? end, factor, priceMaxAge };
    for (const pair of new Set(swapPairs.map(({ tokenX, tokenY }) => pairKey(tokenX, tokenY)))) {
      const periods = factors.get(pair) ?? [];
      const last = periods.at(-1);
      const isSame = last?.factor === factor && last.priceMaxAge === priceMaxAge;
      if (last?.end === period.start && isSame)
        periods[periods.length - 1] = { ...last, end: period.end };
      else periods.push(period);
      factors.set(pair, periods);
    }
  }
}

/** Adjoining stretches that are equal become one, so that equal rules have equal texts. */
function addStretch(all: Map<string, Stretch[]>, pool: string, stretch: Stretch): void {
  const own = all.get(pool) ?? [];
  const before = own.findIndex(
    ({ end, pointsPerSecond }) =>
      end === stretch.start && pointsPerSecond === stretch.pointsPerSecond,
  );
  const known = own[before];
  if (known === undefined) own.push(stretch);
  else own[before] = { ...known, end: stretch.end };
  all.set(pool, own);
}

const swapPeriod = ({ start, end, factor, priceMaxAge }: RatePeriod, unit: bigint): SwapPeriod => ({
  ...{ after: start - 1, until: end - 1 },
  ...{ weight: unit === 0n ? 0n : factor / unit, priceMaxAge },
});

const gcdOf = (a: bigint, b: bigint): bigint => (b === 0n ? a : gcdOf(b, a % b));
