import type { Desk } from "./desk.ts";
import { fillOrder } from "./fill.ts";
import type { Order } from "./order.ts";
import { delayOrder, placeOrder } from "./placing.ts";
import type { Position } from "./position.ts";
import { dealingPrice } from "./valuation.ts";

/** The terms of a closing order. */
export type ClosingTerms = Pick<Order, "type" | "status" | "timeInForce"> &
  Partial<Pick<Order, "range" | "expires" | "clientTag" | "requestId">>;

/**
 * Closes positions of one account, with one order per symbol and side.
 * @returns the orders
 */
export function closePositions(
  desk: Desk,
  positions: readonly Position[],
  terms: ClosingTerms,
): readonly Order[] {
  const groups = Map.groupBy(positions, ({ symbol, side }) => `${symbol} ${side}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const amount = group.reduce((sum, position) => sum + position.amount, 0);
    const trades = group.map(({ tradeId }) => tradeId);
    return closeTrades(desk, first, amount, { ...terms, trades });
  });
}

/** Closes an amount of positions with the same account, symbol and side. */
export function closeTrades(
  desk: Desk,
  { accountId, symbol, side }: Position,
  amount: number,
  terms: ClosingTerms & Pick<Order, "trades"> & Partial<Pick<Order, "rate">>,
): Order {
  const closingSide = side === 1 ? -1 : 1;
  const order = placeOrder(desk, {
    accountId,
    symbol,
    kind: "close",
    side: closingSide,
    amount,
    rate: dealingPrice(desk.quote(symbol), closingSide),
    ...terms,
  });
  // A margin call is the broker's own order and has no latency.
  if (order.type === "M" || !delayOrder(desk, order)) fillOrder(desk, order);
  return order;
}
