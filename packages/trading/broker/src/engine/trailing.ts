import { dynamicTrailingStep } from "@proj/trading-client/wire";
import type { Instrument } from "../instruments/instrument.ts";
import type { Desk } from "./desk.ts";
import { isLimit, isTrailing, type Order, type Side } from "./order.ts";
import { touchOrder } from "./placing.ts";
import type { Quote } from "./quote.ts";
import { dealingPrice } from "./valuation.ts";

/** Points of one trailing step; a dynamic step is a tenth of a pip. */
function stepPoints({ pipPoints }: Instrument, step: number): number {
  return step === dynamicTrailingStep ? Math.max(1, Math.round(pipPoints / 10)) : step * pipPoints;
}

/**
 * The direction in which the rate follows the market: away from the rate. A stop order to sell is below the
 * market, a limit order to sell above it.
 */
function followedSide(order: Order): Side {
  const away = isLimit(order) ? order.side : -order.side;
  return away === 1 ? 1 : -1;
}

/** Moves a trailing rate after the market in whole steps, never back. */
export function trail(desk: Desk, order: Order, quote: Quote): void {
  if (!isTrailing(order)) return;
  const followed = followedSide(order);
  const step = stepPoints(desk.instrument(order.symbol), order.trailingStep);
  const moved = followed * (dealingPrice(quote, order.side) - order.trailingFrom);
  if (moved < step) return;
  const shift = followed * Math.floor(moved / step) * step;
  order.rate += shift;
  order.trailingFrom += shift;
  touchOrder(desk, order);
}
