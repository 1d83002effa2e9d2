import type { Instrument } from "../instruments/instrument.ts";
import type { Account } from "./account.ts";
import { type ConversionRate, configuredCurrency, convertCents } from "./conversion.ts";
import type { Desk } from "./desk.ts";
import { multiplyDivide, multiplyDivideAll, roundCents } from "./exact-division.ts";
import type { Side } from "./order.ts";
import type { Position } from "./position.ts";
import type { Quote } from "./quote.ts";

/** Profit is counted in this fraction of a currency. */
const cents = 100;
/** Pip values are counted in this fraction of a currency. */
export const pipValueParts = 100_000;

/** The value of a move by these points for an amount, in parts of the currency, rounded. */
function valueOfMove(
  instrument: Instrument,
  { numerators, denominators }: ConversionRate,
  points: number,
  amount: number,
  parts: number,
): number {
  const factor = instrument.contractSize * parts;
  const perPoint = factor / instrument.scale;
  const [numerator = 1] = numerators;
  const [denominator = 1] = denominators;
  if (numerators.length > 1)
    return multiplyDivideAll(
      [points, amount, factor, ...numerators],
      [instrument.scale, ...denominators],
    );
  // The same fraction, with smaller numbers if possible.
  return Number.isInteger(perPoint)
    ? multiplyDivide(points, amount, perPoint * numerator, denominator)
    : multiplyDivide(points, amount, factor * numerator, instrument.scale * denominator);
}

/** In cents of the rate's target currency. */
export function profitOf(
  instrument: Instrument,
  rate: ConversionRate,
  trade: { readonly side: Side; readonly open: number; readonly amount: number },
  close: number,
): number {
  return valueOfMove(instrument, rate, trade.side * (close - trade.open), trade.amount, cents);
}

/** The value of a pip for an amount, in hundred-thousandths of a currency; 0 without a price. */
export function pipValueOf(
  desk: Desk,
  instrument: Instrument,
  amount: number,
  currency: string,
): number {
  const rate = desk.conversionRate(instrument.symbol, currency);
  if (rate === null) return 0;
  return valueOfMove(instrument, rate, instrument.pipPoints, amount, pipValueParts);
}

/** The price at which a trade of this side closes. */
export function closingPrice(quote: Quote, side: Side): number {
  return side === 1 ? quote.bid : quote.ask;
}

/** The price at which an order of this side is filled. */
export function dealingPrice(quote: Quote, side: Side): number {
  return side === 1 ? quote.ask : quote.bid;
}

/** Margin of an amount in cents of the account's currency, from the dollar cents per base unit. */
export function marginOf(
  desk: Desk,
  { currency }: Account,
  instrument: Instrument,
  perBaseUnit: number,
  amount: number,
): number {
  const dollarCents = roundCents((perBaseUnit * amount) / instrument.baseUnit);
  return inCurrency(desk, dollarCents, currency);
}

/** Converts dollar cents to an account's currency. */
export function inCurrency(desk: Desk, dollarCents: number, currency: string): number {
  if (currency === configuredCurrency) return dollarCents;
  return convertCents(dollarCents, desk.moneyRate(configuredCurrency, currency));
}

/**
 * Revalues the open positions of a symbol.
 * @param isConverted the converting price changed, so the value of a pip changed too
 */
export function revalueSymbol(desk: Desk, symbol: string, isConverted = false): void {
  const positions = desk.book.positionsOf(symbol);
  if (positions.size === 0) return;
  const instrument = desk.instrument(symbol);
  const quote = desk.quote(symbol);
  let rate: ConversionRate | null = null;
  let currency = "";
  for (const position of positions.values()) {
    const account = desk.account(position.accountId);
    if (account.currency !== currency) {
      currency = account.currency;
      rate = desk.conversionRate(symbol, currency);
    }
    if (rate === null) continue;
    const close = closingPrice(quote, position.side);
    const grossPL = profitOf(instrument, rate, position, close);
    const isSame = grossPL === position.grossPL && close === position.close;
    if (isSame && !isConverted) continue;
    account.grossPL += grossPL - position.grossPL;
    position.grossPL = grossPL;
    position.close = close;
    desk.tables.touchPosition(position);
  }
}

/** Revalues positions and margins of a currency's accounts after its dollar rate has changed. */
export function revalueCurrency(desk: Desk, currency: string): void {
  for (const account of desk.book.accounts.values()) {
    if (account.currency !== currency) continue;
    for (const position of desk.book.positionsIn(account.accountId).values())
      revalue(desk, position);
  }
}

/** Revalues a position and its margins; also after a change of its amount. */
export function revalue(desk: Desk, position: Position): void {
  const instrument = desk.instrument(position.symbol);
  const account = desk.account(position.accountId);
  const rate = desk.conversionRate(position.symbol, account.currency);
  const { mmr, emr, lmr } = instrument;
  const margin = (perBaseUnit: number): number =>
    marginOf(desk, account, instrument, perBaseUnit, position.amount);
  removeFigures(account, position);
  position.close = closingPrice(desk.quote(position.symbol), position.side);
  position.grossPL = rate === null ? 0 : profitOf(instrument, rate, position, position.close);
  position.maintenanceMargin = margin(mmr);
  position.entryMargin = margin(emr);
  position.liquidationMargin = margin(lmr);
  account.grossPL += position.grossPL;
  account.maintenanceMargin += position.maintenanceMargin;
  account.entryMargin += position.entryMargin;
  account.liquidationMargin += position.liquidationMargin;
  desk.tables.touchPosition(position);
}

/** Subtracts a position from its account's sums. */
export function removeFigures(account: Account, position: Position): void {
  account.grossPL -= position.grossPL;
  account.maintenanceMargin -= position.maintenanceMargin;
  account.entryMargin -= position.entryMargin;
  account.liquidationMargin -= position.liquidationMargin;
}
