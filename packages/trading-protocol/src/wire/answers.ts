import type { CandleRow } from "./candle-row.ts";
import type { PriceUpdate } from "./price-update.ts";

/** What every answer begins with. */
export interface Envelope {
  readonly response: {
    readonly executed: boolean;
    /** Empty, plain text, or a Refusal as JSON. */
    readonly error?: string;
  };
}

/** Why a request was rejected. */
export interface Refusal {
  readonly code: number;
  readonly message: string;
  readonly parameters: readonly (string | number)[];
}

/** `data` of an answer to an order. */
export interface OrderAnswer {
  readonly type: 0;
  readonly orderId: number;
}

/** `data` of an answer about OCO groups is a list of these, one for each order. */
export interface OcoAnswer extends OrderAnswer {
  /** 0: the order is in no group now. */
  readonly ocoBulkId: number;
}

/** Of `data.instrument` that GET /trading/get_instruments answers. */
export interface InstrumentEntry {
  readonly symbol: string;
  readonly visible: boolean;
  /** Its position in lists. */
  readonly order: number;
}

/** Beside the envelope of POST /subscribe; /unsubscribe answers the names alone. */
export interface PricesAnswer {
  readonly pairs: readonly PriceUpdate[];
}

/** Beside the envelope of GET /candles/{offer_id}/{period_id}. */
export interface CandlesAnswer {
  readonly instrument_id: string;
  readonly period_id: string;
  readonly candles: readonly CandleRow[];
}
