import type { ChangeTradeStopLimitRequest } from "@proj/trading-client/wire";
import type { Desk } from "../desk.ts";
import type { Position } from "../position.ts";
import { setLimit, setStop } from "../protection.ts";
import { closingPrice } from "../valuation.ts";
import { checkTrailingStep, findPosition, findQuote } from "./checks.ts";
import { type Protected, rateWith, readLimit, readStop } from "./stop-and-limit.ts";

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

/** @param rate as the request has it */
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
  setStop(desk, position, stop.value === 0 ? 0 : rateWith(of, stop), trailingStep);
}

/** @param rate as the request has it */
export function changeLimit(desk: Desk, position: Position, rate: number, inPips: boolean): void {
  const of = protectedPosition(desk, position);
  const limit = readLimit(of, rate, inPips);
  setLimit(desk, position, limit.value === 0 ? 0 : rateWith(of, limit));
}

function protectedPosition(desk: Desk, { symbol, side, open }: Position): Protected {
  const instrument = desk.instrument(symbol);
  const reference = closingPrice(findQuote(desk, instrument), side);
  return { instrument, side, entry: open, reference };
}
