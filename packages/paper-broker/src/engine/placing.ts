import { orderStatus } from "@proj/trading-protocol";
import type { Desk } from "./desk.ts";
import type { Order } from "./order.ts";
import { orderRow } from "./tables/order-row.ts";
import { pipValueOf } from "./valuation.ts";

/** What one kind of order says of itself; the rest of an Order begins empty. */
export type NewOrder = Pick<
  Order,
  "accountId" | "symbol" | "kind" | "side" | "type" | "amount" | "rate" | "timeInForce"
> &
  Partial<Order>;

/** Makes an order and its row. */
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
    pipValue: pipValueIn(desk, order, order.amount),
    ...order,
    orderId: book.counters.nextOrderId,
  };
  book.counters.nextOrderId += 1;
  book.addOrder(placed);
  desk.tables.orders.insert(placed.orderId, orderRow(desk, placed));
  desk.tables.touchGroup(placed);
  if (placed.expires > 0) desk.nextExpiry = Math.min(desk.nextExpiry, placed.expires);
  return placed;
}

/** A request is on its way to the market for a while. @returns whether it is */
export function sendOnItsWay(desk: Desk, order: Order): boolean {
  order.due = desk.fills.due(desk.now, order.orderId);
  if (order.due === 0) return false;
  desk.nextDue = Math.min(desk.nextDue, order.due);
  desk.book.unsaved.orders.add(order.orderId);
  return true;
}

/** An order has changed in what its row shows. */
export function touchOrder(desk: Desk, order: Order): void {
  desk.book.unsaved.orders.add(order.orderId);
  desk.tables.touchOrder(order);
}

/** Takes an order away; its D says the last status. */
export function endOrder(
  desk: Desk,
  order: Order,
  status: typeof orderStatus.executed | typeof orderStatus.canceled,
): void {
  desk.book.removeOrder(order);
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

/** A size that is no longer what was ordered. */
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
