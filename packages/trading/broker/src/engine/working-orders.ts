import { orderStatus } from "@proj/trading-client/wire";
import type { Desk } from "./desk.ts";
import { fillOrder } from "./fill.ts";
import { isLimit, type Order } from "./order.ts";
import type { Quote } from "./quote.ts";
import { trail } from "./trailing.ts";
import { dealingPrice } from "./valuation.ts";

/** Trails, triggers and fills the orders of a symbol at its new price, oldest first. */
export function workOrders(desk: Desk, symbol: string): void {
  const orders = desk.book.ordersOf(symbol);
  if (orders.size === 0) return;
  const quote = desk.quote(symbol);
  // Orders created by a fill wait for the next price.
  for (const order of [...orders.values()]) {
    // Another order of its group may have canceled it.
    if (!orders.has(order.orderId)) continue;
    trail(desk, order, quote);
    if (isDue(desk, order, quote)) fillOrder(desk, order);
  }
}

function isDue(desk: Desk, order: Order, quote: Quote): boolean {
  const isAtMarket = order.kind === "open" || order.kind === "close";
  // Still on its way to the market: the clock executes it.
  if (order.due > 0) return false;
  if (isAtMarket || order.status === orderStatus.activated) return true;
  const passed = order.side * (dealingPrice(quote, order.side) - order.rate);
  // A stop order to buy is above the market, a limit order to buy below it.
  if (!isLimit(order)) return passed >= 0;
  return passed < 0 || (passed === 0 && desk.fills.fillsAtTouch(order, quote.time));
}
