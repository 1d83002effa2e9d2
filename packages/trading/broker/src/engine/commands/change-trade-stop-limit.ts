import type {
  ChangeNetStopLimitRequest,
  ChangeTradeStopLimitRequest,
  SetStopLimitRequest,
} from "@proj/trading-client/wire";
import type { Desk } from "../desk.ts";
import { sideOf } from "../order.ts";
import type { Position } from "../position.ts";
import { setLimit, setStop } from "../protection.ts";
import { RefusalError, refuse } from "../refusal.ts";
import { closingPrice } from "../valuation.ts";
import {
  checkTrailingStep,
  findAccount,
  findInstrument,
  findPosition,
  findQuote,
} from "./checks.ts";
import {
  type Protected,
  type Protection,
  rateWith,
  readLimit,
  readStop,
} from "./stop-and-limit.ts";

/** Sets, moves or (rate 0) deletes the stop or the limit of a position. */
export function changeTradeStopLimit(desk: Desk, request: ChangeTradeStopLimitRequest): null {
  const position = findPosition(desk, request.trade_id);
  const inPips = request.is_in_pips ?? false;
  if (request.is_stop) {
    changeStop(desk, position, request.rate, inPips, request.trailing_stop_step ?? 0);
  } else {
    changeLimit(desk, position, request.rate, inPips);
  }
  return null;
}

/** Sets, moves or deletes the stop and the limit of a position: a refusal of one leaves both as they were. */
export function setStopLimit(desk: Desk, request: SetStopLimitRequest): null {
  const position = findPosition(desk, request.trade_id);
  const inPips = request.is_in_pips ?? false;
  const of = protectedPosition(desk, position);
  const order = desk.book.orders.get(position.stopOrderId);
  const step = checkTrailingStep(request.trailing_stop_step ?? order?.trailingStep ?? 0);
  const stop = request.stop === undefined ? null : readStop(of, request.stop, inPips);
  const limit = request.limit === undefined ? null : readLimit(of, request.limit, inPips);
  const kept =
    stop === null && request.trailing_stop_step !== undefined ? (order?.rate ?? 0) : null;
  if (kept === 0 && step !== 0) {
    const expected = "needs a stop to move";
    throw new RefusalError(refuse.invalidField("trailing_stop_step", String(step), expected));
  }
  const stopRate = stop === null ? kept : protectionRate(of, stop);
  if (stopRate !== null) setStop(desk, position, stopRate, step);
  if (limit !== null) setLimit(desk, position, protectionRate(of, limit));
  return null;
}

/** Sets, moves or deletes the stop or limit of all of an account's trades on one side of a symbol. */
export function changeNetStopLimit(desk: Desk, request: ChangeNetStopLimitRequest): null {
  const { accountId } = findAccount(desk, request.account_id);
  const instrument = findInstrument(desk, request.symbol);
  const side = sideOf(request.is_buy);
  const positions = [...desk.book.positionsOf(instrument.symbol).values()].filter(
    (position) => position.accountId === accountId && position.side === side,
  );
  if (positions.length === 0) throw new RefusalError(refuse.nothingToClose(accountId));
  // The rate is valid for all of them or none, so a refusal comes before the first change.
  for (const { tradeId } of positions)
    changeTradeStopLimit(desk, { ...request, trade_id: String(tradeId), is_in_pips: false });
  return null;
}

/** @param rate as in the request */
export function changeStop(
  desk: Desk,
  position: Position,
  rate: number,
  inPips: boolean,
  trailingStep: number,
): void {
  checkTrailingStep(trailingStep);
  const of = protectedPosition(desk, position);
  const stop = readStop(of, rate, inPips);
  setStop(desk, position, protectionRate(of, stop), trailingStep);
}

/** @param rate as in the request */
export function changeLimit(desk: Desk, position: Position, rate: number, inPips: boolean): void {
  const of = protectedPosition(desk, position);
  const limit = readLimit(of, rate, inPips);
  setLimit(desk, position, protectionRate(of, limit));
}

/** 0: none. */
function protectionRate(of: Protected, protection: Protection): number {
  return protection.value === 0 ? 0 : rateWith(of, protection);
}

function protectedPosition(desk: Desk, { symbol, side, open, accountId }: Position): Protected {
  const instrument = desk.instrument(symbol);
  const reference = closingPrice(findQuote(desk, instrument, accountId), side);
  return { instrument, side, entry: open, reference };
}
