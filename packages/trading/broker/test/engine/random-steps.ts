import fc from "fast-check";
import { accountId, hedgingId } from "./trading-floor.ts";

/** The instruments of the sessions, with profits in dollars, yen, and francs (converted by USD/CHF). */
export const symbols = ["EUR/USD", "USD/JPY", "USD/CHF", "EUR/CHF"] as const;
export type TradedSymbol = (typeof symbols)[number];

/**
 * The next step. A number chooses among the existing orders or positions; prices are steps from the last
 * one.
 */
export type Step =
  | {
      readonly kind: "price";
      readonly symbol: TradedSymbol;
      readonly move: number;
      readonly spread: number;
    }
  | { readonly kind: "pass"; readonly hours: number }
  | { readonly kind: "open"; readonly market: Market; readonly protection: Protection }
  | {
      readonly kind: "entry";
      readonly market: Market;
      readonly protection: Protection;
      readonly away: number;
    }
  | { readonly kind: "oco"; readonly market: Market; readonly away: number }
  | { readonly kind: "close"; readonly choice: number; readonly amount: number }
  | {
      readonly kind: "protect";
      readonly choice: number;
      readonly isStop: boolean;
      readonly pips: number;
      readonly step: number;
    }
  | {
      readonly kind: "change";
      readonly choice: number;
      readonly move: number;
      readonly amount: number;
    }
  | { readonly kind: "delete"; readonly choice: number };

export interface Market {
  readonly account_id: string;
  readonly symbol: TradedSymbol;
  readonly is_buy: boolean;
  readonly amount: number;
  readonly time_in_force: "GTC" | "IOC" | "FOK" | "DAY";
}

export interface Protection {
  readonly stop: number;
  readonly limit: number;
  readonly trailing_stop_step: number;
}

const symbol = fc.constantFrom(...symbols);
const choice = fc.nat(20);
const market: fc.Arbitrary<Market> = fc.record({
  account_id: fc.constantFrom(accountId, hedgingId),
  symbol,
  is_buy: fc.boolean(),
  amount: fc.integer({ min: 1, max: 60 }),
  time_in_force: fc.constantFrom("GTC", "IOC", "FOK", "DAY"),
});
const protection: fc.Arbitrary<Protection> = fc.record({
  stop: fc.constantFrom(0, 0, 5, 30.5),
  limit: fc.constantFrom(0, 0, 5, 20),
  trailing_stop_step: fc.constantFrom(0, 0, 1, 10),
});
/** Mostly small moves; a large one triggers stops and margin calls. */
const move = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -300, max: 300 }) },
  { weight: 1, arbitrary: fc.integer({ min: -4000, max: 4000 }) },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ kind: fc.constant("price"), symbol, move, spread: fc.nat(20) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("pass"), hours: fc.nat(30) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("open"), market, protection }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("entry"), market, protection, away: move }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("oco"), market, away: move }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("close"), choice, amount: fc.nat(30) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("protect"),
      choice,
      isStop: fc.boolean(),
      pips: fc.constantFrom(-20, -3.5, 0, 3.5, 20),
      step: fc.constantFrom(0, 1, 10, 5),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("change"), choice, move, amount: fc.nat(30) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete"), choice }) },
);

export interface Session {
  readonly levelAmount: number;
  readonly levels: number | null;
  readonly steps: readonly Step[];
}

export const session: fc.Arbitrary<Session> = fc.record({
  levelAmount: fc.constantFrom(5, 20, 1000),
  levels: fc.constantFrom(null, 1, 3),
  steps: fc.array(step, { minLength: 1, maxLength: 80, size: "max" }),
});
