import { Temporal } from "temporal-polyfill";
import type { CallOptions } from "../calls/call-options.ts";
import type { Caller } from "../calls/caller.ts";
import { InvalidRequestError } from "../errors/invalid-request-error.ts";
import { RefusalError } from "../errors/refusal-error.ts";
import type { JsonObject } from "../reading/json-objects.ts";
import { checkSymbol } from "../requests/check-request.ts";
import type { TableFeed } from "../tables/table-feed.ts";
import type { TableRow } from "../tables/table-row.ts";
import { type FormFields, timeFrames } from "../wire/index.ts";
import { type Candle, readCandle } from "./candle.ts";
import { limitSpan, pagesOf } from "./candle-span.ts";
import type { CandlesQuery } from "./candles-query.ts";

type Offers = readonly TableRow<"Offer">[];

/**
 * Downloads candles, oldest first, in as many requests as needed.
 * @throws CandleLimitError, InvalidRequestError, and the errors of a call
 */
export function downloadCandles(
  caller: Caller,
  tables: TableFeed,
  query: CandlesQuery,
  options: CallOptions = {},
): Promise<readonly Candle[]> {
  const { period_id } = query;
  if ("symbol" in query) checkSymbol(query.symbol);
  if ("num" in query) checkNumber(query.num, timeFrames[period_id].maxCandles);
  return caller.within({ method: "GET", path: "/candles" }, options, async (signal) => {
    const isOfferNeeded = "symbol" in query || "from" in query;
    const offers = isOfferNeeded ? await readOffers(tables, signal) : [];
    const offer_id = "symbol" in query ? offerOf(offers, query.symbol) : query.offer_id;
    const path = `/candles/${offer_id}/${period_id}`;
    const download = (fields: FormFields): Promise<Candle[]> =>
      caller
        .call(
          { method: "GET", path, fields, isIdempotent: true, read: readCandles },
          { signal, timeoutMs: 0 },
        )
        .catch(readNothing);
    if ("num" in query) return download({ num: query.num });
    const now = timeOf(offers);
    const { from, to = now, clip = false } = query;
    const span = limitSpan(period_id, { from, to, clip }, now);
    const pages: Candle[][] = [];
    // `num` is required, but has no effect with `from` and `to`.
    for (const page of pagesOf(period_id, span)) pages.push(await download({ num: 1, ...page }));
    return pages.flat();
  });
}

function checkNumber(num: number, maxCandles: number | null): void {
  if (Number.isInteger(num) && num >= 1 && (maxCandles === null || num <= maxCandles)) return;
  const most = maxCandles === null ? "at least 1" : `from 1 to ${maxCandles}; for more use from`;
  throw new InvalidRequestError("num", `num is ${num}: it must be ${most}`);
}

async function readOffers(tables: TableFeed, signal: AbortSignal): Promise<Offers> {
  const rows = tables.rows("Offer");
  return rows === undefined
    ? tables.snapshot("Offer", { signal, timeoutMs: 0 })
    : [...rows.values()];
}

function offerOf(offers: Offers, symbol: string): number {
  const offer = offers.find(({ currency }) => currency === symbol);
  if (offer !== undefined) return offer.offerId;
  throw new InvalidRequestError(
    "symbol",
    `The Offer table does not show ${symbol}: make it visible with updateSubscriptions, or pass its offer_id`,
  );
}

/** The server's time, which may differ from ours: the time of its newest price. */
function timeOf(offers: Offers): Temporal.Instant {
  const times = offers.flatMap(({ time }) => time ?? []);
  const newest = times.sort(Temporal.Instant.compare).at(-1);
  return newest ?? Temporal.Now.instant();
}

function readCandles({ candles }: JsonObject): Candle[] {
  if (!Array.isArray(candles)) throw new TypeError(`"candles" is not a list`);
  return candles.map(readCandle);
}

/** If there are no candles, the answer is `executed: false` with an empty list and no code. */
function readNothing(error: unknown): Candle[] {
  if (error instanceof RefusalError && error.code === null) {
    const { candles } = error.answer;
    if (Array.isArray(candles) && candles.length === 0) return [];
  }
  throw error;
}
