import type { TimeFrame } from "@proj/trading-protocol";
import type { Temporal } from "temporal-polyfill";

/** Which candles are asked for. */
export type CandlesQuery = { readonly period_id: TimeFrame } & (
  | { readonly symbol: string }
  /** Of the Offer table; saves the look into it. */
  | { readonly offer_id: number }
) &
  (
    | {
        /** How many, the newest; for more than 10,000 say `from`. */
        readonly num: number;
      }
    | {
        readonly from: Temporal.Instant;
        /** Inclusive. @default now */
        readonly to?: Temporal.Instant;
        /**
         * What lies further back than the time frame's limit of days is left out; false: it is a
         * CandleLimitError.
         * @default false
         */
        readonly clip?: boolean;
      }
  );
