import type { Instrument } from "../instruments/instrument.ts";
import type { Side } from "./order.ts";
import type { Quote } from "./quote.ts";
import { dealingPrice } from "./valuation.ts";

/** A part of an order filled at one rate. */
export interface FillPart {
  readonly rate: number;
  readonly amount: number;
}

export interface FillRequest {
  readonly side: Side;
  readonly amount: number;
  /** The worst rate allowed, in points; null: any. */
  readonly bound: number | null;
  /** Most parts. */
  readonly most: number;
  /** Points by which the best rate is worse than the quote. */
  readonly slippage: number;
}

/** The parts of an amount that the market can fill at once, best rate first. */
export function partsAvailable(
  { liquidity }: Instrument,
  quote: Quote,
  { side, amount, bound, most, slippage }: FillRequest,
): readonly FillPart[] {
  const best = dealingPrice(quote, side) + side * slippage;
  const parts: FillPart[] = [];
  const levels = Math.min(most, liquidity?.levels ?? 1);
  let left = amount;
  for (let level = 0; left > 0 && level < levels; level += 1) {
    const rate = best + side * level * (liquidity?.step ?? 0);
    if (rate <= 0 || (bound !== null && side * (rate - bound) > 0)) break;
    const part = Math.min(left, liquidity?.amount ?? left);
    parts.push({ rate, amount: part });
    left -= part;
  }
  return parts;
}
