import { orderStatus } from "@proj/trading-client/wire";
import type { Desk } from "./desk.ts";
import { recordEquity } from "./equity-curve.ts";
import { type FillPart, partsAvailable, useDepth } from "./liquidity.ts";
import { checkMargin } from "./margin-check.ts";
import { cancelGroup } from "./oco-group.ts";
import { isLimit, isRange, isStop, type Order, opens } from "./order.ts";
import { endOrder, resizeOrder, touchOrder } from "./placing.ts";
import type { Position } from "./position.ts";
import { closePart, openPosition } from "./positions.ts";
import { orderRow } from "./tables/order-row.ts";

/**
 * Fills as much of an order as possible now. The order's pushes come first: a U for each fill, then a final D,
 * or a U for what is left. The pushes of the positions follow.
 */
export function fillOrder(desk: Desk, order: Order): void {
  const instrument = desk.instrument(order.symbol);
  const quote = desk.quote(order.symbol);
  const closings = closingsOf(desk, order);
  const wanted = opens(order) ? order.amount : Math.min(order.amount, sumAmounts(closings));
  const parts = partsAvailable(instrument, quote, {
    side: order.side,
    amount: wanted,
    bound: boundOf(order),
    maxParts: closings.length + roomFor(desk, order),
    slippage: desk.fills.slippage(order, instrument, desk.now),
    now: desk.now,
  });
  const available = sumAmounts(parts);
  const isRefused =
    (order.timeInForce === "FOK" && available < order.amount) ||
    (opens(order) && !mayOpen(desk, order, available, closings));
  if (isRefused) {
    endOrder(desk, order, orderStatus.canceled);
    return;
  }
  useDepth(instrument, quote, { side: order.side, amount: available, now: desk.now });
  desk.book.unsaved.quotes.add(order.symbol);
  const effects = parts.flatMap((part) => fillPart(desk, order, part, closings));
  finish(desk, order, available);
  if (available > 0) cancelGroup(desk, order);
  for (const push of effects) push();
  // A drawdown may begin and end between two regular points.
  if (available > 0) recordEquity(desk, desk.account(order.accountId));
}

/** The worst rate to fill at, in points; null: any rate. */
function boundOf(order: Order): number | null {
  if (order.range !== null) return order.rate + order.side * order.range;
  return isLimit(order) ? order.rate : null;
}

/** How many positions the order may still open; each part of a fill opens one. */
function roomFor({ book, limits }: Desk, order: Order): number {
  if (!opens(order)) return Number.POSITIVE_INFINITY;
  return Math.max(0, limits.positions - book.positionsIn(order.accountId).size);
}

/** The positions that the order closes, in order: its trades or, on a netting account, the opposite ones. */
function closingsOf(desk: Desk, order: Order): Position[] {
  const { book } = desk;
  if (!opens(order)) return order.trades.flatMap((tradeId) => book.positions.get(tradeId) ?? []);
  return oppositeTrades(desk, order);
}

/** The trades that an order closes before it opens any; none on a hedging account. */
export function oppositeTrades(
  desk: Desk,
  { accountId, symbol, side }: Pick<Order, "accountId" | "symbol" | "side">,
): Position[] {
  if (desk.account(accountId).hedging) return [];
  return [...desk.book.positionsOf(symbol).values()].filter(
    (position) => position.accountId === accountId && position.side !== side,
  );
}

function mayOpen(desk: Desk, order: Order, amount: number, closings: readonly Position[]): boolean {
  const instrument = desk.instrument(order.symbol);
  return checkMargin(desk, desk.account(order.accountId), instrument, amount, closings) === null;
}

/** @param closings the positions still to close; closed ones are removed from the front */
function fillPart(
  desk: Desk,
  order: Order,
  { rate, amount }: FillPart,
  closings: Position[],
): (() => void)[] {
  const effects: (() => void)[] = [];
  let left = amount;
  while (left > 0) {
    const [position] = closings;
    if (position === undefined) {
      const opened = openPosition(desk, order, left, rate);
      pushFill(desk, order, opened.position.tradeId, { rate, amount: left });
      effects.push(opened.push);
      break;
    }
    const part = Math.min(left, position.amount);
    effects.push(closePart(desk, position, part, rate, order));
    pushFill(desk, order, position.tradeId, { rate, amount: part });
    if (position.amount === 0) closings.shift();
    left -= part;
  }
  return effects;
}

function pushFill(desk: Desk, order: Order, tradeId: number, { rate, amount }: FillPart): void {
  // A market order that is filled at once shows its first trade from the beginning.
  if (order.kind === "open" && order.lastTradeId === 0)
    desk.tables.orders.amendInsert(order.orderId, { tradeId: String(tradeId) });
  order.lastTradeId = tradeId;
  order.filled += amount;
  order.filledValue += rate * amount;
  if (!isForced(order)) order.status = orderStatus.executing;
  const { status } = order;
  desk.tables.orders.update(order.orderId, orderRow(desk, order), {
    tradeId: String(tradeId),
    status,
  });
}

function finish(desk: Desk, order: Order, filled: number): void {
  const left = order.amount - filled;
  const isDone = left === 0 || (!opens(order) && closingsOf(desk, order).length === 0);
  if (isDone) endOrder(desk, order, orderStatus.executed);
  else if (order.timeInForce === "IOC") endOrder(desk, order, orderStatus.canceled);
  else rest(desk, order, left);
}

function rest(desk: Desk, order: Order, left: number): void {
  const status = restingStatus(order);
  if (order.status === status && order.amount === left) return;
  order.status = status;
  resizeOrder(desk, order, left);
  touchOrder(desk, order);
}

/** The status of an order that waits for the rest of its fill. */
function restingStatus(order: Order): Order["status"] {
  if (isForced(order)) return order.status;
  if (isLimit(order)) return orderStatus.waiting;
  return isStop(order) && !isRange(order) ? orderStatus.activated : orderStatus.pending;
}

/** Whether the order keeps its status, which says why positions are being closed. */
function isForced({ type }: Order): boolean {
  return type === "M";
}

function sumAmounts(parts: readonly { readonly amount: number }[]): number {
  return parts.reduce((sum, { amount }) => sum + amount, 0);
}
