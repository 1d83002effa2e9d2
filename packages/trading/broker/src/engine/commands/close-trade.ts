import {
  type CloseAllForSymbolRequest,
  type CloseTradeRequest,
  type OrderAnswer,
  orderStatus,
} from "@proj/trading-client/wire";
import { closePositions, closeTrades } from "../close-positions.ts";
import type { Desk } from "../desk.ts";
import { RefusalError, refuse } from "../refusal.ts";
import {
  checkAmount,
  checkOpen,
  findAccount,
  findInstrument,
  findPosition,
  findQuote,
} from "./checks.ts";
import { readIdentity } from "./identity.ts";
import { readExecution } from "./terms.ts";

/** Closes all or part of a position. */
export function closeTrade(desk: Desk, request: CloseTradeRequest): OrderAnswer {
  const position = findPosition(desk, request.trade_id);
  const instrument = desk.instrument(position.symbol);
  const isWhole = request.amount === undefined || request.amount === 0;
  const amount = isWhole ? position.amount : checkAmount(instrument, request.amount);
  if (amount > position.amount) {
    const expected = `must not be more than the open amount (${position.amount})`;
    throw new RefusalError(refuse.invalidField("amount", String(amount), expected));
  }
  checkOpen(desk, instrument);
  const side = position.side === 1 ? -1 : 1;
  const quote = findQuote(desk, instrument, position.accountId);
  const { isRange, ...execution } = readExecution(desk, instrument, quote, side, request);
  const { orderId } = closeTrades(desk, position, amount, {
    ...execution,
    ...readIdentity(request),
    type: isRange ? "CR" : "CM",
    status: orderStatus.inProcess,
    trades: [position.tradeId],
  });
  return { type: 0, orderId };
}

/** Closes all positions of an account in one symbol, or in all symbols whose market is open. */
export function closeAllForSymbol(
  desk: Desk,
  request: CloseAllForSymbolRequest,
): readonly OrderAnswer[] {
  const { accountId } = findAccount(desk, request.account_id);
  const only = request.forSymbol ? findInstrument(desk, request.symbol) : null;
  if (only !== null) checkOpen(desk, only);
  const positions = [...desk.book.positionsIn(accountId).values()].filter(
    ({ symbol }) =>
      (only === null || symbol === only.symbol) && desk.isOpen(desk.instrument(symbol)),
  );
  const [first] = positions;
  if (first === undefined) throw new RefusalError(refuse.nothingToClose(accountId));
  const instrument = desk.instrument(first.symbol);
  // The range is counted from each symbol's own price.
  const { isRange, range, ...execution } = readExecution(
    desk,
    instrument,
    desk.quote(first.symbol),
    first.side,
    { ...request, rate: 0 },
  );
  const orders = closePositions(desk, positions, {
    timeInForce: execution.timeInForce,
    expires: execution.expires,
    ...readIdentity(request),
    type: isRange ? "CR" : "CM",
    status: orderStatus.inProcess,
    range,
  });
  return orders.map(({ orderId }) => ({ type: 0, orderId }));
}
