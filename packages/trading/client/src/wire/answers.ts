import type { CandleRow } from "./candle-row.ts";
import type { PriceUpdate } from "./price-update.ts";

/** The common part of every answer. */
export interface Envelope {
  readonly response: {
    readonly executed: boolean;
    /** Empty, plain text, or a `Refusal` as JSON. */
    readonly error?: string;
  };
}

/** Why a request was refused. */
export interface Refusal {
  readonly code: number;
  readonly message: string;
  readonly parameters: readonly (string | number)[];
}

/** `data` in the answer to an order. */
export interface OrderAnswer {
  readonly type: 0;
  readonly orderId: number;
}

/** `data` in the answer to an OCO request is a list of these, one per order. */
export interface OcoAnswer extends OrderAnswer {
  /** 0: the order is not in a group. */
  readonly ocoBulkId: number;
}

/** An item of `data.instrument` in the answer to GET /trading/get_instruments. */
export interface InstrumentEntry {
  readonly symbol: string;
  readonly visible: boolean;
  /** Its position in lists. */
  readonly order: number;
}

/** Members next to the envelope in answers to POST /subscribe; /unsubscribe returns only the names. */
export interface PricesAnswer {
  readonly pairs: readonly PriceUpdate[];
}

/** Members next to the envelope in answers to GET /candles/{offer_id}/{period_id}. */
export interface CandlesAnswer {
  readonly instrument_id: string;
  readonly period_id: string;
  readonly candles: readonly CandleRow[];
}
