import { formatWireTime, type OrderRecord } from "@proj/trading-client/wire";
import { type Instrument, rateOf } from "../../instruments/instrument.ts";
import type { Desk } from "../desk.ts";
import { fillRateOf, isLimit, isStop, type Order, opens } from "../order.ts";
import { pipValueParts } from "../valuation.ts";

export function orderRow(desk: Desk, order: Order): OrderRecord {
  const instrument = desk.instrument(order.symbol);
  const rate = rateOf(instrument, order.rate);
  const stop = rateOf(instrument, stopRateOf(order));
  const limit = rateOf(instrument, limitRateOf(order));
  const isEntryOrder = order.kind === "entry";
  const { ratePrecision } = instrument;
  const key = { t: 3, ratePrecision, orderId: String(order.orderId) } as const;
  return {
    // V8 is slow to make an object that begins with members of its own and then takes over those of another one.
    ...(order.lastTradeId === 0 ? key : { ...key, tradeId: String(order.lastTradeId) }),
    time: formatWireTime(order.time),
    accountName: desk.account(order.accountId).accountName,
    accountId: order.accountId,
    timeInForce: order.timeInForce,
    expireDate: order.expires === 0 ? "" : formatWireTime(order.expires),
    currency: order.symbol,
    isBuy: order.side === 1,
    buy: order.side === 1 ? rate : 0,
    sell: order.side === 1 ? 0 : rate,
    type: order.type,
    status: order.status,
    amountK: order.amount,
    currencyPoint: order.pipValue / pipValueParts,
    stopMove: order.trailingStep,
    stop,
    stopRate: stop,
    limit,
    limitRate: limit,
    range: order.range === null ? 0 : order.range / instrument.pipPoints,
    isEntryOrder,
    isNetQuantity: false,
    isLimitOrder: isLimit(order),
    isStopOrder: isStop(order),
    isELSOrder: isEntryOrder && opens(order) && (order.stop !== 0 || order.limit !== 0),
    ocoBulkId: order.ocoBulkId,
    stopPegBaseType: order.stopPeg,
    limitPegBaseType: order.limitPeg,
    ...tagOf(order),
    ...(order.filled === 0 ? {} : fillOf(instrument, order)),
  };
}

function fillOf(instrument: Instrument, order: Order): Pick<OrderRecord, "filledK" | "fillRate"> {
  const points = Math.round(fillRateOf(order) * 1000) / 1000;
  return { filledK: order.filled, fillRate: rateOf(instrument, points) };
}

/** Rows without a tag have just the interface's fields. */
export function tagOf({ clientTag }: Pick<Order, "clientTag">): { readonly client_tag?: string } {
  return clientTag === "" ? {} : { client_tag: clientTag };
}

/** Points; 0: none. A distance is counted from the order's own rate. */
export function stopRateOf({ stop, stopPeg, rate }: Order): number {
  return stop === 0 || stopPeg === -1 ? stop : rate + stop;
}

/** Points; 0 none. */
export function limitRateOf({ limit, limitPeg, rate }: Order): number {
  return limit === 0 || limitPeg === -1 ? limit : rate + limit;
}
