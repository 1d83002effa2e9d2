import { orderStatus } from "@proj/trading-client/wire";
import type { Desk } from "./desk.ts";
import { fillRateOf, type Order } from "./order.ts";
import { orderRow } from "./tables/order-row.ts";
import { recordOfOrder } from "./transactions.ts";
import { pipValueOf } from "./valuation.ts";

/** The fields that a new order must have; the rest of the Order starts empty. */
export type NewOrder = Pick<
  Order,
  "accountId" | "symbol" | "kind" | "side" | "type" | "amount" | "rate" | "timeInForce"
> &
  Partial<Order>;

/** Creates an order and its row. */
export function placeOrder(desk: Desk, order: NewOrder): Order {
  const { book } = desk;
  const placed: Order = {
    time: desk.now,
    expires: 0,
    due: 0,
    trades: [],
    status: orderStatus.waiting,
    range: null,
    lastTradeId: 0,
    stop: 0,
    stopPeg: -1,
    limit: 0,
    limitPeg: -1,
    trailingStep: 0,
    trailingFrom: 0,
    ocoBulkId: 0,
    filled: 0,
    filledValue: 0,
    clientTag: "",
    requestId: "",
    pipValue: pipValueIn(desk, order, order.amount),
    ...order,
    orderId: book.counters.nextOrderId,
  };
  book.counters.nextOrderId += 1;
  book.addOrder(placed);
  desk.tables.orders.insert(placed.orderId, orderRow(desk, placed));
  desk.tables.touchGroup(placed);
  recordOfOrder(desk, "order_placed", placed, {});
  if (placed.expires > 0) desk.nextExpiry = Math.min(desk.nextExpiry, placed.expires);
  return placed;
}

/** Delays an order by the fill model's latency. @returns whether there is any */
export function delayOrder(desk: Desk, order: Order): boolean {
  order.due = desk.fills.due(desk.now, order.orderId);
  if (order.due === 0) return false;
  desk.nextDue = Math.min(desk.nextDue, order.due);
  desk.book.unsaved.orders.add(order.orderId);
  return true;
}

/** Marks an order whose row has changed. */
export function touchOrder(desk: Desk, order: Order): void {
  desk.book.unsaved.orders.add(order.orderId);
  desk.tables.touchOrder(order);
}

/** Removes an order; its D carries the last status. */
export function endOrder(
  desk: Desk,
  order: Order,
  status: typeof orderStatus.executed | typeof orderStatus.canceled,
): void {
  desk.book.removeOrder(order);
  const type = status === orderStatus.executed ? "order_executed" : "order_canceled";
  recordOfOrder(desk, type, order, { amount: order.filled, rate: fillRateOf(order) });
  for (const tradeId of order.trades) {
    const position = desk.book.positions.get(tradeId);
    if (position === undefined || order.kind !== "protect") continue;
    if (position.stopOrderId === order.orderId) position.stopOrderId = 0;
    if (position.limitOrderId === order.orderId) position.limitOrderId = 0;
    desk.book.unsaved.positions.add(tradeId);
    desk.tables.touchPosition(position);
  }
  desk.tables.orders.remove(order.orderId, { status });
  desk.tables.touchGroup(order);
}

/** Changes an order's amount. */
export function resizeOrder(desk: Desk, order: Order, amount: number): void {
  if (order.amount === amount) return;
  order.amount = amount;
  order.pipValue = pipValueIn(desk, order, amount);
  touchOrder(desk, order);
}

function pipValueIn(
  desk: Desk,
  { symbol, accountId }: Pick<Order, "symbol" | "accountId">,
  amount: number,
): number {
  return pipValueOf(desk, desk.instrument(symbol), amount, desk.account(accountId).currency);
}
