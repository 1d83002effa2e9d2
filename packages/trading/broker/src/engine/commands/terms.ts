import {
  type EntryTimeInForce,
  type Execution,
  entryTimesInForce,
  marketOrderTypes,
  parseWireTime,
  timesInForce,
} from "@proj/trading-client/wire";
import { type Instrument, pointsOf } from "../../instruments/instrument.ts";
import { tradingDayAt } from "../../instruments/trading-day.ts";
import type { Desk } from "../desk.ts";
import type { Order, Side } from "../order.ts";
import type { Quote } from "../quote.ts";
import { RefusalError, refuse } from "../refusal.ts";
import { dealingPrice } from "../valuation.ts";
import { checkChoice, checkNumber } from "./checks.ts";

export type ExecutionTerms = Pick<Order, "rate" | "range" | "timeInForce" | "expires"> & {
  readonly isRange: boolean;
};

/** Reads how a market order executes. */
export function readExecution(
  desk: Desk,
  instrument: Instrument,
  quote: Quote,
  side: Side,
  request: Execution,
): ExecutionTerms {
  const isRange = checkChoice("order_type", request.order_type, marketOrderTypes) === "MarketRange";
  const timeInForce = checkChoice("time_in_force", request.time_in_force, timesInForce);
  const rate = checkNumber("rate", request.rate, 0);
  const range = checkNumber("at_market", request.at_market, 0);
  return {
    isRange,
    rate: isRange && rate > 0 ? pointsOf(instrument, rate) : dealingPrice(quote, side),
    range: isRange ? Math.round(range * instrument.pipPoints) : null,
    timeInForce,
    expires: timeInForce === "DAY" ? desk.day.end : 0,
  };
}

/** Reads how long an entry order is valid. */
export function readEntryTime(
  desk: Desk,
  request: { readonly time_in_force: string; readonly expiration?: string },
): { readonly timeInForce: EntryTimeInForce; readonly expires: number } {
  const timeInForce = checkChoice("time_in_force", request.time_in_force, entryTimesInForce);
  if (timeInForce === "DAY") return { timeInForce, expires: desk.day.end };
  if (timeInForce !== "GTD") return { timeInForce, expires: 0 };
  const { expiration } = request;
  if (expiration === undefined || expiration === "") {
    throw new RefusalError(refuse.missingField("expiration"));
  }
  const expires = parseExpiration(expiration);
  if (Number.isNaN(expires)) {
    const expected = "must be a time in UTC, like 2026-03-31 14:30";
    throw new RefusalError(refuse.invalidField("expiration", expiration, expected));
  }
  if (expires <= desk.now) {
    throw new RefusalError(refuse.invalidField("expiration", expiration, "is in the past"));
  }
  return { timeInForce, expires };
}

/** A date without a time means the start of that trading day. NaN: not a time. */
function parseExpiration(text: string): number {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) {
    const noon = Date.parse(`${text}T12:00:00Z`);
    return Number.isNaN(noon) ? noon : tradingDayAt(noon).start;
  }
  // Python's strftime writes microseconds.
  if (/^\d{14}(\d{3}|\d{6})?$/.test(text)) {
    try {
      return parseWireTime(text.slice(0, 17));
    } catch {
      return Number.NaN;
    }
  }
  const [, date, time, zone] =
    /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? [];
  return date === undefined ? Number.NaN : Date.parse(`${date}T${time}${zone ?? "Z"}`);
}
