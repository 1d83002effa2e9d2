import {
  type ChangeOrderRequest,
  type ChangeOrderStopLimitRequest,
  type DeleteOrderRequest,
  orderStatus,
} from "@proj/trading-client/wire";
import { pointsOf } from "../../instruments/instrument.ts";
import type { Desk } from "../desk.ts";
import { isLimit, isTrailing, type Order } from "../order.ts";
import { endOrder, resizeOrder, touchOrder } from "../placing.ts";
import { RefusalError, refuse } from "../refusal.ts";
import { limitRateOf, stopRateOf } from "../tables/order-row.ts";
import { dealingPrice } from "../valuation.ts";
import { changeLimit, changeStop } from "./change-trade-stop-limit.ts";
import { checkAmount, checkNumber, checkTrailingStep, findOrder, findQuote } from "./checks.ts";
import { entryType } from "./create-entry-order.ts";
import { checkLimitRate, checkStopRate, readLimit, readStop } from "./stop-and-limit.ts";

/** Changes an entry order, or the rate of a position's stop or limit. 0 keeps the rate or amount. */
export function changeOrder(desk: Desk, request: ChangeOrderRequest): null {
  const order = findOrder(desk, request.order_id);
  if (order.kind === "protect") changeProtection(desk, order, request);
  else if (order.kind === "entry") changeEntry(desk, order, request);
  else throw new RefusalError(refuse.orderNotChangeable(order.orderId, "is being filled"));
  return null;
}

function changeEntry(desk: Desk, order: Order, request: ChangeOrderRequest): void {
  checkWaiting(order);
  const instrument = desk.instrument(order.symbol);
  const quote = findQuote(desk, instrument, order.accountId);
  const given = pointsOf(instrument, checkNumber("rate", request.rate, 0));
  const rate = given === 0 ? order.rate : given;
  const range = checkNumber("range", request.range, 0);
  const isResized = request.amount !== undefined && request.amount !== 0;
  const amount = isResized ? checkAmount(instrument, request.amount) : order.amount;
  const step = request.trailing_stop_step;
  const trailingStep = step === undefined ? order.trailingStep : checkTrailingStep(step);
  const changed: Order = { ...order, rate, trailingStep };
  checkEntryProtection(desk, changed);
  const ownStep = trailingStep !== 0 && order.stop === 0;
  order.type = entryType(quote, order.side, rate, ownStep);
  order.rate = rate;
  order.trailingStep = trailingStep;
  order.trailingFrom = dealingPrice(quote, order.side);
  if (request.range !== undefined) {
    order.range = range === 0 ? null : Math.round(range * instrument.pipPoints);
  }
  resizeOrder(desk, order, amount);
  touchOrder(desk, order);
}

/** A stop or limit given as a rate may be on the wrong side of the new entry rate. */
function checkEntryProtection(desk: Desk, order: Order): void {
  const { side, rate } = order;
  const instrument = desk.instrument(order.symbol);
  const of = { instrument, side, entry: rate, reference: rate };
  if (order.stop !== 0) checkStopRate(of, stopRateOf(order));
  if (order.limit !== 0) checkLimitRate(of, limitRateOf(order));
}

function changeProtection(desk: Desk, order: Order, request: ChangeOrderRequest): void {
  const [tradeId = 0] = order.trades;
  const position = desk.book.positions.get(tradeId);
  if (position === undefined) throw new RefusalError(refuse.unknownTrade(String(tradeId)));
  if (request.amount !== undefined && request.amount !== 0 && request.amount !== order.amount) {
    const what = "protects a whole position: its amount cannot be changed";
    throw new RefusalError(refuse.orderNotChangeable(order.orderId, what));
  }
  const instrument = desk.instrument(order.symbol);
  const rate =
    request.rate === undefined || request.rate === 0 ? order.rate / instrument.scale : request.rate;
  if (isLimit(order)) changeLimit(desk, position, rate, false);
  else changeStop(desk, position, rate, false, request.trailing_stop_step ?? order.trailingStep);
}

/** Changes the stop and limit that an entry order's position will have. */
export function changeOrderStopLimit(desk: Desk, request: ChangeOrderStopLimitRequest): null {
  const order = findOrder(desk, request.order_id);
  if (order.kind !== "entry") {
    const what = "is not an entry order: use change_trade_stop_limit";
    throw new RefusalError(refuse.orderNotChangeable(order.orderId, what));
  }
  checkWaiting(order);
  const { side, rate } = order;
  const of = { instrument: desk.instrument(order.symbol), side, entry: rate, reference: rate };
  const stop =
    request.stop === undefined
      ? { value: order.stop, peg: order.stopPeg }
      : readStop(of, request.stop, request.is_stop_in_pips ?? false);
  const limit =
    request.limit === undefined
      ? { value: order.limit, peg: order.limitPeg }
      : readLimit(of, request.limit, request.is_limit_in_pips ?? false);
  const step = request.trailing_stop_step;
  const keptStep = stop.value === 0 && !isTrailing(order) ? 0 : order.trailingStep;
  const trailingStep = step === undefined ? keptStep : checkTrailingStep(step);
  const quote = findQuote(desk, of.instrument, order.accountId);
  order.stop = stop.value;
  order.stopPeg = stop.peg;
  order.limit = limit.value;
  order.limitPeg = limit.peg;
  order.trailingStep = trailingStep;
  order.type = entryType(quote, side, rate, trailingStep !== 0 && stop.value === 0);
  order.trailingFrom = dealingPrice(quote, side);
  touchOrder(desk, order);
  return null;
}

/** An order whose rate was reached can no longer be changed. */
function checkWaiting({ orderId, status }: Order): void {
  if (status !== orderStatus.waiting) {
    throw new RefusalError(refuse.orderNotChangeable(orderId, "is being filled"));
  }
}

export function deleteOrder(desk: Desk, request: DeleteOrderRequest): null {
  const order = findOrder(desk, request.order_id);
  if (order.type === "M") {
    throw new RefusalError(refuse.orderNotChangeable(order.orderId, "is a margin call"));
  }
  endOrder(desk, order, orderStatus.canceled);
  return null;
}
