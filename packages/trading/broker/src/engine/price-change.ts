import type { Tick } from "../instruments/tick.ts";
import { passTime } from "./clock.ts";
import type { Desk } from "./desk.ts";
import { checkAccounts } from "./margin-call.ts";
import { hasPrice, type Quote } from "./quote.ts";
import { revalueCurrency, revalueSymbol } from "./valuation.ts";
import { workOrders } from "./working-orders.ts";

const minuteMs = 60_000;

/** Applies a new price: revalues, triggers and fills. While the market is closed, it only revalues. */
export function changePrice(desk: Desk, tick: Tick): void {
  const { symbol, time } = tick;
  passTime(desk, time);
  moveQuote(desk.quote(symbol), tick);
  desk.book.unsaved.quotes.add(symbol);
  desk.tables.touchedOffers.add(symbol);
  revalueSymbol(desk, symbol);
  for (const converted of desk.convertedBy(symbol)) {
    desk.tables.touchedOffers.add(converted);
    revalueSymbol(desk, converted, true);
  }
  for (const currency of desk.currenciesMovedBy(symbol)) revalueCurrency(desk, currency);
  if (!desk.isOpen(desk.instrument(symbol))) return;
  workOrders(desk, symbol);
  checkAccounts(desk);
}

function moveQuote(quote: Quote, { bid, ask, time, changes = 1 }: Tick): void {
  const isFirst = !hasPrice(quote);
  const isSameMinute = Math.floor(quote.time / minuteMs) === Math.floor(time / minuteMs);
  quote.high = isFirst ? ask : Math.max(quote.high, ask);
  quote.low = isFirst ? bid : Math.min(quote.low, bid);
  quote.volume = isSameMinute ? quote.volume + changes : changes;
  quote.bid = bid;
  quote.ask = ask;
  quote.time = time;
}
