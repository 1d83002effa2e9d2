import type { Temporal } from "temporal-polyfill";
import type { TimeFrame } from "../wire/index.ts";

/** Which candles to download. */
export type CandlesQuery = { readonly period_id: TimeFrame } & (
  | { readonly symbol: string }
  /** From the Offer table; saves reading the table. */
  | { readonly offer_id: number }
) &
  (
    | {
        /** Number of candles, the newest ones; for more than 10,000 use `from`. */
        readonly num: number;
      }
    | {
        readonly from: Temporal.Instant;
        /** Inclusive. @default now */
        readonly to?: Temporal.Instant;
        /**
         * True omits candles older than the time frame's limit of days; false fails with a
         * CandleLimitError.
         * @default false
         */
        readonly clip?: boolean;
      }
  );
