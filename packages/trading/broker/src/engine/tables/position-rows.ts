import {
  type ClosedPositionRecord,
  formatWireTime,
  type OpenPositionRecord,
} from "@proj/trading-client/wire";
import { type Instrument, rateOf } from "../../instruments/instrument.ts";
import { valueDateText } from "../../instruments/trading-day.ts";
import type { Desk } from "../desk.ts";
import type { ClosedPosition, Position } from "../position.ts";
import { pipValueOf, pipValueParts } from "../valuation.ts";
import { tagOf } from "./order-row.ts";

export function openPositionRow(desk: Desk, position: Position): OpenPositionRecord {
  const instrument = desk.instrument(position.symbol);
  const stop = desk.book.orders.get(position.stopOrderId);
  const limit = desk.book.orders.get(position.limitOrderId);
  const { accountName, currency } = desk.account(position.accountId);
  return {
    t: 1,
    ratePrecision: instrument.ratePrecision,
    tradeId: String(position.tradeId),
    orderId: String(position.orderId),
    ...tagOf(position),
    accountName,
    accountId: position.accountId,
    roll: position.roll / 100,
    com: position.commission / 100,
    open: rateOf(instrument, position.open),
    valueDate: valueDateText(desk.day, instrument.settlementDays),
    grossPL: position.grossPL / 100,
    close: rateOf(instrument, position.close),
    visiblePL: pipsOf(instrument, position),
    isDisabled: !desk.isOpen(instrument),
    currency: position.symbol,
    isBuy: position.side === 1,
    amountK: position.amount,
    currencyPoint: pipValueOf(desk, instrument, position.amount, currency) / pipValueParts,
    time: formatWireTime(position.time),
    usedMargin: position.maintenanceMargin / 100,
    stop: stop === undefined ? 0 : rateOf(instrument, stop.rate),
    stopMove: stop?.trailingStep ?? 0,
    limit: limit === undefined ? 0 : rateOf(instrument, limit.rate),
  };
}

export function closedPositionRow(desk: Desk, position: ClosedPosition): ClosedPositionRecord {
  const instrument = desk.instrument(position.symbol);
  return {
    t: 2,
    ratePrecision: instrument.ratePrecision,
    tradeId: String(position.tradeId),
    orderId: String(position.orderId),
    ...tagOf(position),
    accountName: desk.account(position.accountId).accountName,
    roll: position.roll / 100,
    com: position.commission / 100,
    open: rateOf(instrument, position.open),
    valueDate: position.valueDate,
    grossPL: position.grossPL / 100,
    close: rateOf(instrument, position.close),
    visiblePL: pipsOf(instrument, position),
    currency: position.symbol,
    isBuy: position.side === 1,
    amountK: position.amount,
    currencyPoint: position.pipValue / pipValueParts,
    openTime: formatWireTime(position.openTime),
    closeTime: formatWireTime(position.closeTime),
    closeOrderId: String(position.closeOrderId),
    ...(position.closeClientTag === "" ? {} : { close_client_tag: position.closeClientTag }),
  };
}

function pipsOf(
  { pipPoints }: Instrument,
  { side, open, close }: Pick<Position, "side" | "open" | "close">,
): number {
  return (side * (close - open)) / pipPoints + 0;
}
