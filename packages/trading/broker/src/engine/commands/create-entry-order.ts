import {
  type CreateEntryOrderRequest,
  entryOrderTypes,
  type OrderAnswer,
  type OrderType,
} from "@proj/trading-client/wire";
import { type Instrument, pointsOf } from "../../instruments/instrument.ts";
import type { Desk } from "../desk.ts";
import { type Side, sideOf } from "../order.ts";
import { type NewOrder, placeOrder } from "../placing.ts";
import type { Quote } from "../quote.ts";
import { RefusalError, refuse } from "../refusal.ts";
import { dealingPrice } from "../valuation.ts";
import {
  checkAmount,
  checkChoice,
  checkNumber,
  checkOrderCount,
  checkTrailingStep,
  findAccount,
  findInstrument,
  findQuote,
} from "./checks.ts";
import { readIdentity } from "./identity.ts";
import { readLimit, readStop } from "./stop-and-limit.ts";
import { readEntryTime } from "./terms.ts";

/** Places an order that waits for its rate; also possible while the market is closed. */
export function createEntryOrder(desk: Desk, request: CreateEntryOrderRequest): OrderAnswer {
  const order = readEntryOrder(desk, request);
  checkOrderCount(desk, desk.account(order.accountId), 1);
  return { type: 0, orderId: placeOrder(desk, order).orderId };
}

/** @throws RefusalError the order cannot be placed; nothing has changed */
export function readEntryOrder(desk: Desk, request: CreateEntryOrderRequest): NewOrder {
  const account = findAccount(desk, request.account_id);
  const instrument = findInstrument(desk, request.symbol);
  const amount = checkAmount(instrument, request.amount);
  const trailingStep = checkTrailingStep(request.trailing_stop_step);
  const quote = findQuote(desk, instrument, account.accountId);
  const side = sideOf(request.is_buy);
  const rate = readEntryRate(instrument, request.rate);
  const of = { instrument, side, entry: rate, reference: rate };
  const stop = readStop(of, request.stop, request.is_in_pips ?? false);
  const limit = readLimit(of, request.limit, request.is_in_pips ?? false);
  return {
    ...readEntryTime(desk, request),
    ...readIdentity(request),
    accountId: account.accountId,
    symbol: instrument.symbol,
    kind: "entry",
    side,
    type: entryType(quote, side, rate, trailingStep !== 0 && stop.value === 0),
    amount,
    rate,
    range: readRange(instrument, request),
    trailingStep,
    trailingFrom: dealingPrice(quote, side),
    stop: stop.value,
    stopPeg: stop.peg,
    limit: limit.value,
    limitPeg: limit.peg,
  };
}

export function readEntryRate(instrument: Instrument, rate: number): number {
  const points = pointsOf(instrument, checkNumber("rate", rate, 0));
  if (points > 0) return points;
  throw new RefusalError(refuse.invalidField("rate", String(rate), "must be above 0"));
}

/** @returns points; null: at any price */
function readRange(instrument: Instrument, request: CreateEntryOrderRequest): number | null {
  const orderType = checkChoice("order_type", request.order_type ?? "Entry", entryOrderTypes);
  const range = checkNumber("range", request.range, 0);
  if (orderType === "RangeEntry") {
    if (range === 0) throw new RefusalError(refuse.missingField("range"));
    return Math.round(range * instrument.pipPoints);
  }
  if (range === 0) return null;
  const expected = "requires order_type RangeEntry";
  throw new RefusalError(refuse.invalidField("range", String(range), expected));
}

/**
 * An order to buy above the market or to sell below it is a stop, else a limit.
 * @param isTrailing the order's own rate follows the market: it has a trailing step but no stop to apply it to
 */
export function entryType(quote: Quote, side: Side, rate: number, isTrailing: boolean): OrderType {
  const isStop = side * (rate - dealingPrice(quote, side)) > 0;
  if (isTrailing) return isStop ? "STE" : "LTE";
  return isStop ? "SE" : "LE";
}
