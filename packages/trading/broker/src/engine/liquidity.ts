import type { Instrument, Liquidity } from "../instruments/instrument.ts";
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
  readonly maxParts: number;
  /** Points by which the best rate is worse than the quote. */
  readonly slippage: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The parts of an amount that the market can fill at once, best rate first. */
export function partsAvailable(
  { liquidity }: Instrument,
  quote: Quote,
  { side, amount, bound, maxParts, slippage, now }: FillRequest,
): readonly FillPart[] {
  const best = dealingPrice(quote, side) + side * slippage;
  const parts: FillPart[] = [];
  const levels = liquidity?.levels ?? 1;
  const taken = liquidity === null ? 0 : takenOf(liquidity, quote, side, now);
  let used = liquidity === null ? 0 : taken % liquidity.amount;
  let left = amount;
  const first = liquidity === null ? 0 : Math.floor(taken / liquidity.amount);
  for (let level = first; left > 0 && level < levels && parts.length < maxParts; level += 1) {
    const rate = best + side * level * (liquidity?.step ?? 0);
    if (rate <= 0 || (bound !== null && side * (rate - bound) > 0)) break;
    const part = Math.min(left, (liquidity?.amount ?? left) - used);
    parts.push({ rate, amount: part });
    used = 0;
    left -= part;
  }
  return parts;
}

/** What is still missing on the side that an order deals on; levels come back one after another. */
function takenOf(liquidity: Liquidity, quote: Quote, side: Side, now: number): number {
  const taken = side === 1 ? quote.takenAsk : quote.takenBid;
  if (liquidity.recoveryMs === 0 || taken === 0) return 0;
  return Math.max(0, taken - recoveredOf(liquidity, quote, now));
}

/** Whole thousands that have come back on each side. */
function recoveredOf({ amount, recoveryMs }: Liquidity, { takenTime }: Quote, now: number): number {
  return Math.floor((amount * (now - takenTime)) / recoveryMs);
}

/** Takes an amount out of the depth. */
export function useDepth(
  { liquidity }: Instrument,
  quote: Quote,
  { side, amount, now }: Pick<FillRequest, "side" | "amount" | "now">,
): void {
  if (liquidity === null || liquidity.recoveryMs === 0 || amount === 0) return;
  const [ask, bid] = [takenOf(liquidity, quote, 1, now), takenOf(liquidity, quote, -1, now)];
  const recovered = recoveredOf(liquidity, quote, now);
  quote.takenAsk = ask + (side === 1 ? amount : 0);
  quote.takenBid = bid + (side === 1 ? 0 : amount);
  // The time towards the next thousand still counts; otherwise frequent orders would stop the recovery.
  const counted = Math.round((recovered * liquidity.recoveryMs) / liquidity.amount);
  quote.takenTime = ask === 0 && bid === 0 ? now : quote.takenTime + counted;
}
