import { orderStatus } from "@proj/trading-client/wire";
import { valueDateText } from "../instruments/trading-day.ts";
import type { Desk } from "./desk.ts";
import type { Order } from "./order.ts";
import { endOrder, resizeOrder } from "./placing.ts";
import type { ClosedPosition, Position } from "./position.ts";
import { protectionOf, protectNew } from "./protection.ts";
import { closedPositionRow, openPositionRow } from "./tables/position-rows.ts";
import { recordOfOrder } from "./transactions.ts";
import { inCurrency, pipValueOf, profitOf, removeFigures, revalue } from "./valuation.ts";

/** A completed change of the book, whose pushes come later. */
interface Opened {
  readonly position: Position;
  readonly push: () => void;
}

export function openPosition(desk: Desk, order: Order, amount: number, rate: number): Opened {
  const { book, tables } = desk;
  const position: Position = {
    tradeId: takeTradeId(desk),
    orderId: order.orderId,
    accountId: order.accountId,
    symbol: order.symbol,
    side: order.side,
    open: rate,
    time: desk.now,
    clientTag: order.clientTag,
    amount,
    roll: 0,
    commission: commissionOf(desk, order.accountId, amount),
    stopOrderId: 0,
    limitOrderId: 0,
    close: rate,
    grossPL: 0,
    maintenanceMargin: 0,
    entryMargin: 0,
    liquidationMargin: 0,
  };
  book.addPosition(position);
  const account = desk.account(order.accountId);
  account.balance += position.commission;
  // From its first trade on, an account's stored balance counts, not the configured one.
  if (position.commission !== 0 || !book.wasSaved(account)) {
    book.unsaved.accounts.add(account.accountId);
  }
  revalue(desk, position);
  const { tradeId, commission } = position;
  recordOfOrder(desk, "trade_opened", order, { tradeId, amount, rate, commission });
  const push = () => {
    // Place the stop and limit first: the position's row shows their rates.
    protectNew(desk, position, order);
    tables.openPositions.insert(position.tradeId, openPositionRow(desk, position));
  };
  return { position, push };
}

/**
 * Closes an amount of a position and books its profit. The last part to be closed keeps the trade id; earlier
 * parts get their own, so that the rest can still be closed by its id.
 * @returns its pushes
 */
export function closePart(
  desk: Desk,
  position: Position,
  amount: number,
  rate: number,
  by: Order,
): () => void {
  const { book, tables } = desk;
  const closing = commissionOf(desk, position.accountId, amount);
  const closed = closedPart(desk, position, amount, rate, { commission: closing, by });
  const account = desk.account(position.accountId);
  account.balance += closed.grossPL + closing;
  book.unsaved.accounts.add(account.accountId);
  book.addClosedPosition(closed);
  const { tradeId, grossPL } = closed;
  recordOfOrder(desk, "trade_closed", by, { tradeId, amount, rate, grossPL, commission: closing });
  position.amount -= amount;
  position.roll -= closed.roll;
  position.commission -= closed.commission - closing;
  const isGone = position.amount === 0;
  if (isGone) {
    book.removePosition(position);
    removeFigures(account, position);
    tables.touchPosition(position);
  } else {
    book.unsaved.positions.add(position.tradeId);
    revalue(desk, position);
  }
  return () => {
    tables.closedPositions.insert(closed.tradeId, closedPositionRow(desk, closed));
    limitClosedPositions(desk);
    if (isGone) tables.openPositions.remove(position.tradeId);
    for (const order of protectionOf(desk, position)) {
      if (order === by) continue;
      if (isGone) endOrder(desk, order, orderStatus.canceled);
      else resizeOrder(desk, order, position.amount);
    }
    if (isGone) endIdleCloses(desk, position);
  };
}

function closedPart(
  desk: Desk,
  position: Position,
  amount: number,
  rate: number,
  closing: { readonly commission: number; readonly by: Order },
): ClosedPosition {
  const { symbol, side, open, orderId, accountId } = position;
  const instrument = desk.instrument(symbol);
  const { currency } = desk.account(accountId);
  const conversion = desk.conversionRate(symbol, currency);
  if (conversion === null) throw new Error(`A position in ${symbol} is open without a price`);
  const isWhole = amount === position.amount;
  // Cents that do not divide evenly stay with the open part.
  const shareOf = (cents: number) =>
    isWhole ? cents : Math.trunc((cents * amount) / position.amount) + 0;
  return {
    tradeId: isWhole ? position.tradeId : takeTradeId(desk),
    orderId,
    accountId,
    symbol,
    side,
    open,
    close: rate,
    amount,
    roll: shareOf(position.roll),
    commission: shareOf(position.commission) + closing.commission,
    grossPL: profitOf(instrument, conversion, { side, open, amount }, rate),
    pipValue: pipValueOf(desk, instrument, amount, currency),
    closeOrderId: closing.by.orderId,
    clientTag: position.clientTag,
    closeClientTag: closing.by.clientTag,
    openTime: position.time,
    closeTime: desk.now,
    valueDate: valueDateText(desk.day, instrument.settlementDays),
  };
}

function commissionOf(desk: Desk, accountId: string, amount: number): number {
  return inCurrency(desk, desk.fills.commission(amount), desk.account(accountId).currency);
}

function takeTradeId({ book }: Desk): number {
  const { nextTradeId } = book.counters;
  book.counters.nextTradeId += 1;
  return nextTradeId;
}

function limitClosedPositions({ book, tables, limits }: Desk): void {
  for (const oldest of book.closedPositions.values()) {
    if (book.closedPositions.size <= limits.closedPositions) return;
    book.dropClosedPosition(oldest);
    tables.closedPositions.remove(oldest.tradeId);
  }
}

/** Ends waiting closing orders whose positions are gone. */
function endIdleCloses(desk: Desk, { symbol, tradeId }: Position): void {
  for (const order of [...desk.book.ordersOf(symbol).values()]) {
    if (order.kind !== "close" || !order.trades.includes(tradeId)) continue;
    if (order.trades.some((trade) => desk.book.positions.has(trade))) continue;
    endOrder(desk, order, orderStatus.canceled);
  }
}
