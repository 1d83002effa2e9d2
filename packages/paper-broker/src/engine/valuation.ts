import type { Instrument } from "../instruments/instrument.ts";
import type { Account } from "./account.ts";
import type { ConversionRate } from "./conversion.ts";
import type { Desk } from "./desk.ts";
import { multiplyDivide, roundCents } from "./exact-division.ts";
import type { Side } from "./order.ts";
import type { Position } from "./position.ts";
import type { Quote } from "./quote.ts";

const unitsInThousand = 1000;
/** Parts of a dollar in which profit is counted. */
const cents = 100;
/** Parts of a dollar in which the worth of a pip is counted. */
export const pipValueParts = 100_000;

/** What a move by these points is worth for an amount, in parts of a dollar, rounded. */
function worthOf(
  instrument: Instrument,
  rate: ConversionRate,
  points: number,
  amount: number,
  parts: number,
): number {
  const factor = unitsInThousand * parts;
  const perPoint = factor / instrument.scale;
  // The same fraction, with smaller numbers where that is possible.
  return Number.isInteger(perPoint)
    ? multiplyDivide(points, amount, perPoint * rate.numerator, rate.denominator)
    : multiplyDivide(points, amount, factor * rate.numerator, instrument.scale * rate.denominator);
}

/** In cents. */
export function profitOf(
  instrument: Instrument,
  rate: ConversionRate,
  trade: { readonly side: Side; readonly open: number; readonly amount: number },
  close: number,
): number {
  return worthOf(instrument, rate, trade.side * (close - trade.open), trade.amount, cents);
}

/** What a pip is worth for an amount, in hundred-thousandths of a dollar; 0 without a price. */
export function pipValueOf(desk: Desk, instrument: Instrument, amount: number): number {
  const rate = desk.conversionRate(instrument.symbol);
  if (rate === null) return 0;
  return worthOf(instrument, rate, instrument.pipPoints, amount, pipValueParts);
}

/** The price at which a trade of this side closes. */
export function closingPrice(quote: Quote, side: Side): number {
  return side === 1 ? quote.bid : quote.ask;
}

/** The price at which an order of this side is filled. */
export function dealingPrice(quote: Quote, side: Side): number {
  return side === 1 ? quote.ask : quote.bid;
}

/** Cents of margin for an amount. */
export function marginOf(instrument: Instrument, perBaseUnit: number, amount: number): number {
  return roundCents((perBaseUnit * amount) / instrument.baseUnit);
}

/** Values the open positions of a symbol again. */
export function revalueSymbol(desk: Desk, symbol: string): void {
  const positions = desk.book.positionsOf(symbol);
  if (positions.size === 0) return;
  const instrument = desk.instrument(symbol);
  const quote = desk.quote(symbol);
  const rate = desk.conversionRate(symbol);
  if (rate === null) return;
  for (const position of positions.values()) {
    const close = closingPrice(quote, position.side);
    const grossPL = profitOf(instrument, rate, position, close);
    if (grossPL === position.grossPL && close === position.close) continue;
    desk.account(position.accountId).grossPL += grossPL - position.grossPL;
    position.grossPL = grossPL;
    position.close = close;
    desk.tables.touchPosition(position);
  }
}

/** Values a position and its margins again; also after a change of its amount. */
export function revalue(desk: Desk, position: Position): void {
  const instrument = desk.instrument(position.symbol);
  const rate = desk.conversionRate(position.symbol);
  const account = desk.account(position.accountId);
  removeFigures(account, position);
  position.close = closingPrice(desk.quote(position.symbol), position.side);
  position.grossPL = rate === null ? 0 : profitOf(instrument, rate, position, position.close);
  position.maintenanceMargin = marginOf(instrument, instrument.mmr, position.amount);
  position.entryMargin = marginOf(instrument, instrument.emr, position.amount);
  position.liquidationMargin = marginOf(instrument, instrument.lmr, position.amount);
  account.grossPL += position.grossPL;
  account.maintenanceMargin += position.maintenanceMargin;
  account.entryMargin += position.entryMargin;
  account.liquidationMargin += position.liquidationMargin;
  desk.tables.touchPosition(position);
}

/** Takes what a position adds to its account's sums off them. */
export function removeFigures(account: Account, position: Position): void {
  account.grossPL -= position.grossPL;
  account.maintenanceMargin -= position.maintenanceMargin;
  account.entryMargin -= position.entryMargin;
  account.liquidationMargin -= position.liquidationMargin;
}
