import { orderStatus } from "@proj/trading-client/wire";
import type { Desk } from "./desk.ts";
import type { Order, Side } from "./order.ts";
import { endOrder, placeOrder, touchOrder } from "./placing.ts";
import type { Position } from "./position.ts";
import { closingPrice } from "./valuation.ts";

/** Sets, moves or (rate 0) removes the stop of a position. */
export function setStop(desk: Desk, position: Position, rate: number, trailingStep: number): void {
  const trailingFrom = closingPrice(desk.quote(position.symbol), position.side);
  const type = trailingStep === 0 ? "S" : "ST";
  const order = desk.book.orders.get(position.stopOrderId);
  if (order !== undefined && rate === 0) endOrder(desk, order, orderStatus.canceled);
  if (rate === 0) return;
  if (order === undefined) {
    const placed = protect(desk, position, { type, rate, trailingStep, trailingFrom });
    position.stopOrderId = placed.orderId;
  } else {
    Object.assign(order, { type, rate, trailingStep, trailingFrom });
    touchOrder(desk, order);
  }
}

/** Sets, moves or (rate 0) removes the limit of a position. */
export function setLimit(desk: Desk, position: Position, rate: number): void {
  const order = desk.book.orders.get(position.limitOrderId);
  if (order !== undefined && rate === 0) endOrder(desk, order, orderStatus.canceled);
  if (rate === 0) return;
  if (order === undefined) {
    position.limitOrderId = protect(desk, position, { type: "L", rate }).orderId;
  } else {
    order.rate = rate;
    touchOrder(desk, order);
  }
}

/** Gives a new position the stop and limit of its order. */
export function protectNew(desk: Desk, position: Position, order: Order): void {
  const { stop, stopPeg, limit, limitPeg } = order;
  if (stop !== 0) {
    setStop(desk, position, stopPeg === 1 ? position.open + stop : stop, order.trailingStep);
  }
  if (limit !== 0) setLimit(desk, position, limitPeg === 1 ? position.open + limit : limit);
}

/** A position's stop and limit orders. */
export function protectionOf(desk: Desk, position: Position): readonly Order[] {
  return [position.stopOrderId, position.limitOrderId].flatMap(
    (orderId) => desk.book.orders.get(orderId) ?? [],
  );
}

function protect(
  desk: Desk,
  position: Position,
  order: Pick<Order, "type" | "rate"> & Partial<Order>,
): Order {
  const side: Side = position.side === 1 ? -1 : 1;
  const placed = placeOrder(desk, {
    accountId: position.accountId,
    symbol: position.symbol,
    kind: "protect",
    side,
    amount: position.amount,
    timeInForce: "GTC",
    trades: [position.tradeId],
    lastTradeId: position.tradeId,
    ...order,
  });
  desk.book.unsaved.positions.add(position.tradeId);
  desk.tables.touchPosition(position);
  return placed;
}
