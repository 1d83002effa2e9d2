import { formatWireTime, type OfferRecord, type PriceUpdate } from "@proj/trading-client/wire";
import { type Instrument, rateOf } from "../../instruments/instrument.ts";
import { valueDateText } from "../../instruments/trading-day.ts";
import type { Desk } from "../desk.ts";
import { hasPrice, type Quote } from "../quote.ts";
import { pipValueOf, pipValueParts } from "../valuation.ts";

/** Units that an amount of 1 is unless the row says otherwise. */
const usualSize = 1000;

export function offerRow(desk: Desk, instrument: Instrument): OfferRecord {
  const quote = desk.quote(instrument.symbol);
  const isTradable = hasPrice(quote) && desk.isOpen(instrument);
  return {
    t: 0,
    ratePrecision: instrument.ratePrecision,
    offerId: instrument.offerId,
    rollB: instrument.rollBuy / 100,
    rollS: instrument.rollSell / 100,
    fractionDigits: instrument.ratePrecision,
    pip: instrument.pip,
    defaultSortOrder: instrument.sortOrder,
    currency: instrument.symbol,
    instrumentType: instrument.instrumentType,
    valueDate: valueDateText(desk.day, instrument.settlementDays),
    time: hasPrice(quote) ? formatWireTime(quote.time) : "",
    sell: rateOf(instrument, quote.bid),
    buy: rateOf(instrument, quote.ask),
    sellTradable: isTradable,
    buyTradable: isTradable,
    high: rateOf(instrument, quote.high),
    low: rateOf(instrument, quote.low),
    volume: quote.volume,
    pipFraction: 1 / instrument.pipPoints,
    spread: (quote.ask - quote.bid) / instrument.pipPoints,
    mmr: instrument.mmr / 100,
    emr: instrument.emr / 100,
    lmr: instrument.lmr / 100,
    ...(instrument.contractSize === usualSize ? {} : { contractSize: instrument.contractSize }),
    pipCost: pipValueOf(desk, instrument, instrument.baseUnit, desk.currency) / pipValueParts,
  };
}

export function priceUpdate(instrument: Instrument, quote: Quote): PriceUpdate {
  const { bid, ask, high, low } = quote;
  return {
    Updated: quote.time,
    Rates: [
      rateOf(instrument, bid),
      rateOf(instrument, ask),
      rateOf(instrument, high),
      rateOf(instrument, low),
    ],
    Symbol: quote.symbol,
  };
}
