import {
  type CandleRow,
  type Refusal,
  type TimeFrame,
  timeFrames,
} from "@proj/trading-client/wire";
import { refuse } from "../engine/refusal.ts";
import { candleRow } from "../instruments/candle.ts";
import type { Instrument } from "../instruments/instrument.ts";
import type { MarketStore } from "../state/market-store.ts";
import type { CandleBook } from "./candle-book.ts";

export interface CandleQuery {
  readonly offer_id: number;
  readonly frame: TimeFrame;
  /** Number of newest candles; ignored if `from` is given. */
  readonly num: number;
  /** Seconds since the epoch. */
  readonly from?: number;
  /** Seconds since the epoch, inclusive. @default now */
  readonly to?: number;
}

export type CandlesResult =
  | { readonly executed: true; readonly candles: readonly CandleRow[] }
  | { readonly executed: false; readonly refusal: Refusal; readonly candles: readonly [] };

const dayMs = 24 * 60 * 60_000;

/** The earliest time for which a frame's candles are available. */
export function oldestCandle(frame: TimeFrame, now: number): number {
  const { maxDaysBack } = timeFrames[frame];
  return maxDaysBack === null ? 0 : now - maxDaysBack * dayMs;
}

/** The newest candles of a query within the time frame's limits, oldest first. */
export function queryCandles(
  market: {
    readonly store: MarketStore;
    readonly candles: CandleBook;
    readonly instruments: Iterable<Instrument>;
    readonly now: number;
  },
  query: CandleQuery,
): CandlesResult {
  const { frame, num, from, to } = query;
  const { maxCandles } = timeFrames[frame];
  const most = maxCandles ?? Number.POSITIVE_INFINITY;
  const instrument = [...market.instruments].find(({ offerId }) => offerId === query.offer_id);
  if (instrument === undefined) return refused(refuse.unknownSymbol(String(query.offer_id)));
  if (from === undefined && !(Number.isInteger(num) && num >= 1 && num <= most)) {
    const expected = maxCandles === null ? "must be at least 1" : `must be from 1 to ${maxCandles}`;
    return refused(refuse.invalidField("num", String(num), expected));
  }
  const span = {
    from: Math.max(oldestCandle(frame, market.now), (from ?? 0) * 1000),
    before: (to === undefined ? market.now : to * 1000) + 1,
    most: from === undefined ? num : most,
  };
  const { symbol, scale } = instrument;
  const running = market.candles.running(symbol, frame);
  // The stored current candle lacks its last minute.
  const stored = market.store
    .readCandles(symbol, frame, span)
    .filter(({ start }) => start !== running?.start);
  const isAsked =
    running !== undefined && running.start >= span.from && running.start < span.before;
  const candles = isAsked ? [...stored, running] : stored;
  const newest = candles.slice(Math.max(0, candles.length - span.most));
  return { executed: true, candles: newest.map((candle) => candleRow(candle, scale)) };
}

function refused(refusal: Refusal): CandlesResult {
  return { executed: false, refusal, candles: [] };
}
