import { type OpenTradeRequest, type OrderAnswer, orderStatus } from "@proj/trading-client/wire";
import type { Desk } from "../desk.ts";
import { fillOrder, oppositeTrades } from "../fill.ts";
import { checkMargin } from "../margin-check.ts";
import { sideOf } from "../order.ts";
import { delayOrder, placeOrder } from "../placing.ts";
import { RefusalError, refuse } from "../refusal.ts";
import { closingPrice, dealingPrice } from "../valuation.ts";
import {
  checkAmount,
  checkOpen,
  checkOrderCount,
  checkTrailingStep,
  findAccount,
  findInstrument,
  findQuote,
} from "./checks.ts";
import { readIdentity } from "./identity.ts";
import { readLimit, readStop } from "./stop-and-limit.ts";
import { readExecution } from "./terms.ts";

/** Opens at the market; on a netting account opposite trades are closed first. */
export function openTrade(desk: Desk, request: OpenTradeRequest): OrderAnswer {
  const account = findAccount(desk, request.account_id);
  const instrument = findInstrument(desk, request.symbol);
  const amount = checkAmount(instrument, request.amount);
  const identity = readIdentity(request);
  const trailingStep = checkTrailingStep(request.trailing_stop_step);
  checkOpen(desk, instrument);
  const quote = findQuote(desk, instrument, account.accountId);
  const side = sideOf(request.is_buy);
  const { isRange, ...execution } = readExecution(desk, instrument, quote, side, request);
  const entry = dealingPrice(quote, side);
  const of = { instrument, side, entry, reference: closingPrice(quote, side) };
  const stop = readStop(of, request.stop, request.is_in_pips ?? false);
  const limit = readLimit(of, request.limit, request.is_in_pips ?? false);
  if (trailingStep !== 0 && stop.value === 0) {
    const expected = "needs a stop to move";
    throw new RefusalError(
      refuse.invalidField("trailing_stop_step", String(trailingStep), expected),
    );
  }
  const order = { accountId: account.accountId, symbol: instrument.symbol, side };
  const refusal = checkMargin(desk, account, instrument, amount, oppositeTrades(desk, order));
  if (refusal !== null) throw new RefusalError(refusal);
  // Three: its stop and limit become separate orders.
  checkOrderCount(desk, account, 3);
  const placed = placeOrder(desk, {
    ...order,
    ...execution,
    ...identity,
    kind: "open",
    type: isRange ? "OR" : "OM",
    status: orderStatus.inProcess,
    amount,
    trailingStep,
    stop: stop.value,
    stopPeg: stop.peg,
    limit: limit.value,
    limitPeg: limit.peg,
  });
  if (!delayOrder(desk, placed)) fillOrder(desk, placed);
  return { type: 0, orderId: placed.orderId };
}
