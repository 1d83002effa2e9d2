import type { SummaryRecord } from "@proj/trading-client/wire";
import { type Instrument, rateOf } from "../../instruments/instrument.ts";
import { convertCents } from "../conversion.ts";
import type { Desk } from "../desk.ts";
import { multiplyDivide } from "../exact-division.ts";
import type { Side } from "../order.ts";
import type { Position } from "../position.ts";
import { pipValueOf, pipValueParts } from "../valuation.ts";

interface SideSums {
  readonly amount: number;
  /** Points; 0: no positions. */
  readonly average: number;
  readonly grossPL: number;
  readonly margin: number;
  readonly roll: number;
  readonly commission: number;
}

/** @returns null if the symbol has no open positions */
export function summaryRow(desk: Desk, instrument: Instrument): SummaryRecord | null {
  const positions = [...desk.book.positionsOf(instrument.symbol).values()];
  if (positions.length === 0) return null;
  const quote = desk.quote(instrument.symbol);
  const buys = sumSide(desk, positions, 1);
  const sells = sumSide(desk, positions, -1);
  const amountK = buys.amount - sells.amount;
  const rollSum = buys.roll + sells.roll;
  const grossPL = buys.grossPL + sells.grossPL;
  const stops = positions.map(({ stopOrderId }) => desk.book.orders.get(stopOrderId));
  const limits = positions.map(({ limitOrderId }) => desk.book.orders.get(limitOrderId));
  return {
    t: 5,
    ratePrecision: instrument.ratePrecision,
    offerId: instrument.offerId,
    currency: instrument.symbol,
    plSell: sells.grossPL / 100,
    amountKSell: sells.amount,
    avgSell: rateOf(instrument, sells.average),
    closeBuy: sells.amount === 0 ? 0 : rateOf(instrument, quote.ask),
    closeSell: buys.amount === 0 ? 0 : rateOf(instrument, quote.bid),
    avgBuy: rateOf(instrument, buys.average),
    amountKBuy: buys.amount,
    rollSum: rollSum / 100,
    usedMargin: (buys.margin + sells.margin) / 100,
    usedMarginSell: sells.margin / 100,
    usedMarginBuy: buys.margin / 100,
    isSellDisabled: sells.amount === 0,
    isBuyDisabled: buys.amount === 0,
    plBuy: buys.grossPL / 100,
    amountK,
    currencyPoint: pipValueOf(desk, instrument, amountK, desk.currency) / pipValueParts,
    grossPL: grossPL / 100,
    netPL: (grossPL + rollSum + buys.commission + sells.commission) / 100,
    netStop: rateOf(instrument, shared(stops.map((stop) => stop?.rate ?? 0))),
    netStopMove: shared(stops.map((stop) => stop?.trailingStep ?? 0)),
    netLimit: rateOf(instrument, shared(limits.map((limit) => limit?.rate ?? 0))),
  };
}

/** Their common value; 0 if they differ. */
function shared([first = 0, ...others]: readonly number[]): number {
  return others.every((other) => other === first) ? first : 0;
}

/** Money is in the market's currency. */
function sumSide(desk: Desk, positions: readonly Position[], side: Side): SideSums {
  const ofSide = positions.filter((position) => position.side === side);
  const sum = (figure: (position: Position) => number) =>
    ofSide.reduce((total, position) => total + figure(position), 0);
  const money = (figure: (position: Position) => number) =>
    sum((position) => {
      const { currency } = desk.account(position.accountId);
      const cents = figure(position);
      return currency === desk.currency
        ? cents
        : convertCents(cents, desk.moneyRate(currency, desk.currency));
    });
  const amount = sum((position) => position.amount);
  const weighted = sum((position) => position.open * position.amount);
  return {
    amount,
    average: amount === 0 ? 0 : multiplyDivide(weighted, 1, 1, amount),
    grossPL: money((position) => position.grossPL),
    margin: money((position) => position.maintenanceMargin),
    roll: money((position) => position.roll),
    commission: money((position) => position.commission),
  };
}
