import { orderStatus } from "@proj/trading-client/wire";
import { tradingDayAt, valueDateOf } from "../instruments/trading-day.ts";
import { equityOf } from "./account.ts";
import { type Desk, nextEquityPoint } from "./desk.ts";
import { recordEquity } from "./equity-curve.ts";
import { roundCents } from "./exact-division.ts";
import { fillOrder } from "./fill.ts";
import { checkAccounts, lift } from "./margin-call.ts";
import { endOrder } from "./placing.ts";
import { recordSwap } from "./transactions.ts";
import { inCurrency } from "./valuation.ts";

/** Advances the time: orders expire, trading days end, markets open and close. Time never goes back. */
export function passTime(desk: Desk, time: number): void {
  for (;;) {
    const next = Math.min(desk.day.end, desk.nextExpiry, desk.nextDue, desk.nextEquityPoint);
    if (next > time) break;
    desk.now = Math.max(desk.now, next);
    // Day orders expire with their day, before anything of the next day.
    if (next === desk.nextExpiry) expireOrders(desk);
    else if (next === desk.nextDue) executeDue(desk);
    else if (next === desk.nextEquityPoint) recordEquities(desk);
    else endDay(desk);
  }
  desk.now = Math.max(desk.now, time);
  if (desk.now >= desk.nextHoursChange) showHours(desk);
}

/** Adds a point to the equity curve of each account whose worth has changed. */
function recordEquities(desk: Desk): void {
  desk.nextEquityPoint = nextEquityPoint(desk.now);
  for (const account of desk.book.accounts.values()) recordEquity(desk, account);
}

/** Executes arriving market orders at the current price. */
function executeDue(desk: Desk): void {
  desk.nextDue = Number.POSITIVE_INFINITY;
  for (const order of [...desk.book.orders.values()]) {
    if (order.due === 0 || !desk.book.orders.has(order.orderId)) continue;
    if (order.due > desk.now) {
      desk.nextDue = Math.min(desk.nextDue, order.due);
      continue;
    }
    order.due = 0;
    desk.book.unsaved.orders.add(order.orderId);
    // The market may have closed in the meantime.
    if (desk.isOpen(desk.instrument(order.symbol))) fillOrder(desk, order);
    else endOrder(desk, order, orderStatus.canceled);
  }
  checkAccounts(desk);
}

function expireOrders(desk: Desk): void {
  desk.nextExpiry = Number.POSITIVE_INFINITY;
  for (const order of [...desk.book.orders.values()]) {
    if (order.expires === 0) continue;
    if (order.expires <= desk.now) endOrder(desk, order, orderStatus.canceled);
    else desk.nextExpiry = Math.min(desk.nextExpiry, order.expires);
  }
}

function endDay(desk: Desk): void {
  const { book, tables } = desk;
  const ended = desk.day;
  desk.day = tradingDayAt(ended.end);
  payRoll(desk, ended);
  for (const closed of [...book.closedPositions.values()]) {
    book.dropClosedPosition(closed);
    tables.closedPositions.remove(closed.tradeId);
  }
  for (const account of book.accounts.values()) {
    account.dayStartEquity = equityOf(account);
    recordEquity(desk, account);
    book.unsaved.accounts.add(account.accountId);
    tables.touchedAccounts.add(account.accountId);
    if (account.marginCall === "Y" || account.marginCall === "Q") lift(desk, account);
  }
  for (const quote of book.quotes.values()) {
    quote.high = quote.ask;
    quote.low = quote.bid;
    book.unsaved.quotes.add(quote.symbol);
    tables.touchedOffers.add(quote.symbol);
  }
  for (const position of book.positions.values()) tables.touchPosition(position);
}

/**
 * Pays the swaps of every open position, one for each day that its value date moves: three on a Wednesday,
 * when a value date two days ahead crosses the weekend, and none at a weekend.
 */
function payRoll(desk: Desk, ended: Desk["day"]): void {
  for (const position of desk.book.positions.values()) {
    const instrument = desk.instrument(position.symbol);
    const from = valueDateOf(ended, instrument.settlementDays);
    const nights = from.until(valueDateOf(desk.day, instrument.settlementDays)).days;
    const perUnit = position.side === 1 ? instrument.rollBuy : instrument.rollSell;
    const account = desk.account(position.accountId);
    const dollarCents = roundCents((perUnit * position.amount * nights) / instrument.baseUnit);
    const cents = inCurrency(desk, dollarCents, account.currency);
    if (cents === 0) continue;
    position.roll += cents;
    recordSwap(desk, position, cents);
    account.balance += cents;
    desk.book.unsaved.positions.add(position.tradeId);
  }
}

/** Updates the rows that show whether a market is open. */
function showHours(desk: Desk): void {
  const ends = [...desk.priceEnds.values()].filter((end) => end > desk.now);
  desk.nextHoursChange = Math.min(desk.hours.nextChange(desk.now), ...ends);
  for (const symbol of desk.instruments.keys()) desk.tables.touchedOffers.add(symbol);
  for (const position of desk.book.positions.values()) desk.tables.touchPosition(position);
}
