import { createLiquidity, type Instrument } from "../instruments/instrument.ts";
import type { LiquidityConfig } from "../instruments/instrument-config.ts";
import { roundCents } from "./exact-division.ts";
import { isLimit, type Order } from "./order.ts";

/** How orders are filled. Omitted settings come from the profile; by default, orders fill at once and for free. */
export interface FillModelConfig {
  /** `realistic` resembles a retail broker. @default null: everything is off */
  readonly profile?: "realistic" | null;
  /** Seeds latencies, slippage and touches. @default 1 */
  readonly seed?: number;
  /** Least milliseconds between a market order and its fill, at the price of that later moment. @default 0 */
  readonly latency_ms?: number;
  /** Most milliseconds added to `latency_ms`. @default 0 */
  readonly latency_jitter_ms?: number;
  /** The share of market and stop orders that fill at a worse price, from 0 to 1. @default 0 */
  readonly slippage_share?: number;
  /** Most pips by which the price is worse. @default 0 */
  readonly slippage_pips?: number;
  /** How often a price exactly at a limit's rate fills it, from 0 to 1; better prices always do. @default 1 */
  readonly touch_share?: number;
  /** Depth of instruments without their own `liquidity`. @default null: any amount */
  readonly depth?: LiquidityConfig | null;
  /** Dollars per thousand, charged on opening and again on closing. @default 0 */
  readonly commission?: number;
  /** An account that owes money and has no positions is reset to 0. @default false */
  readonly negative_balance_protection?: boolean;
}

type Settings = Required<Omit<FillModelConfig, "profile">>;

const off: Settings = {
  seed: 1,
  latency_ms: 0,
  latency_jitter_ms: 0,
  slippage_share: 0,
  slippage_pips: 0,
  touch_share: 1,
  depth: null,
  commission: 0,
  negative_balance_protection: false,
};

const realistic: Settings = {
  seed: 1,
  latency_ms: 40,
  latency_jitter_ms: 80,
  slippage_share: 0.25,
  slippage_pips: 0.3,
  touch_share: 0.35,
  depth: { amount: 1000, step: 0.1, levels: 5 },
  commission: 0.03,
  negative_balance_protection: true,
};

/** The purposes of draws, which keep them independent of each other. */
const draws = { latency: 1, slippage: 2, slippageSize: 3, touch: 4 };

/**
 * Draws random decisions without generator state: each draw is a hash of the seed, the order and the time, so that
 * a market that is killed and restarted draws the same ones.
 */
export class FillModel {
  readonly #settings: Settings;

  /** @throws TypeError a setting that makes no sense */
  constructor(config: FillModelConfig | null) {
    const { profile = null, ...settings } = config ?? {};
    this.#settings = { ...(profile === "realistic" ? realistic : off), ...settings };
    check(this.#settings);
  }

  get protectsBalance(): boolean {
    return this.#settings.negative_balance_protection;
  }

  /** When an order placed now executes; 0: at once. */
  due(now: number, orderId: number): number {
    const { latency_ms, latency_jitter_ms } = this.#settings;
    const jitter = latency_jitter_ms * this.#draw(draws.latency, orderId, now);
    const latency = Math.round(latency_ms + jitter);
    return latency === 0 ? 0 : now + latency;
  }

  /** Points by which a fill is worse than the quote. */
  slippage(order: Order, { pipPoints }: Instrument, time: number): number {
    const { slippage_share, slippage_pips } = this.#settings;
    const { orderId } = order;
    if (isLimit(order) || this.#draw(draws.slippage, orderId, time) >= slippage_share) return 0;
    const size = this.#draw(draws.slippageSize, orderId, time);
    return Math.ceil(size * slippage_pips * pipPoints);
  }

  /** Whether a price exactly at a limit's rate fills it. */
  fillsAtTouch({ orderId }: Order, time: number): boolean {
    return this.#draw(draws.touch, orderId, time) < this.#settings.touch_share;
  }

  /** In dollar cents, 0 or negative. */
  commission(amount: number): number {
    return -roundCents(this.#settings.commission * 100 * amount) + 0;
  }

  /** The instrument with the model's depth, unless it has its own liquidity. */
  withDepth(instrument: Instrument): Instrument {
    const { depth } = this.#settings;
    if (depth === null || instrument.liquidity !== null) return instrument;
    const { baseUnit, pipPoints } = instrument;
    const amount = Math.ceil(depth.amount / baseUnit) * baseUnit;
    return { ...instrument, liquidity: createLiquidity({ ...depth, amount }, pipPoints) };
  }

  /** From 0 up to, but not including, 1. */
  #draw(purpose: number, orderId: number, time: number): number {
    let hash = 0;
    for (const number of [this.#settings.seed, purpose, orderId, time]) {
      // Both halves of numbers of more than 32 bits.
      for (const part of [number, Math.floor(number / 2 ** 32)])
        hash = mix(Math.imul(hash ^ (part | 0), 0x9e3779b1) + 0x85ebca6b);
    }
    return hash / 2 ** 32;
  }
}

/** The finalizer of MurmurHash3 (Austin Appleby): every bit changes half of the others. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

function check({ seed, depth, slippage_share, touch_share, ...settings }: Settings): void {
  const { latency_ms, latency_jitter_ms, slippage_pips, commission } = settings;
  const numbers = { latency_ms, latency_jitter_ms, slippage_pips, commission };
  const rules: readonly (readonly [string, boolean])[] = [
    ["seed must be a non-negative integer", Number.isSafeInteger(seed) && seed >= 0],
    ["slippage_share must be from 0 to 1", slippage_share >= 0 && slippage_share <= 1],
    ["touch_share must be above 0 and at most 1", touch_share > 0 && touch_share <= 1],
    ...Object.entries(numbers).map(
      ([name, value]) => [`${name} must not be negative`, value >= 0 && value < 1e9] as const,
    ),
    [
      "depth must have an amount, a whole number of thousands, and at least one level",
      depth === null ||
        (Number.isSafeInteger(depth.amount) &&
          depth.amount > 0 &&
          (depth.step ?? 0) >= 0 &&
          (depth.recovery_ms ?? 0) >= 0 &&
          (depth.levels ?? 1) >= 1),
    ],
  ];
  for (const [rule, holds] of rules) if (!holds) throw new TypeError(`fill_model: ${rule}`);
}
