import { openPaperMarket, type PaperMarket, type PaperMarketOptions } from "@proj/paper-broker";
import { type OpenTradeRequest, tables } from "@proj/trading-client";
import { ACCOUNT_ID, MODELS } from "./trading-protocol.ts";

/** Moves only on command, is always open, and has money for every order. */
export const MARKET: PaperMarketOptions = {
  accounts: [{ account_id: ACCOUNT_ID, balance: 1_000_000, hedging: true }],
  prices: { type: "random_walk", seed: 5, start: "2026-01-12T10:00:00Z" },
  hours: null,
  speed: 0,
};

export function order(symbol: string, is_buy: boolean): OpenTradeRequest {
  return {
    account_id: ACCOUNT_ID,
    symbol,
    is_buy,
    amount: 1,
    order_type: "AtMarket",
    time_in_force: "GTC",
  };
}

export interface Recording {
  /** The answer of `get_model` at its beginning. */
  readonly snapshot: Readonly<Record<string, unknown>>;
  readonly pushes: readonly (readonly [event: string, json: string])[];
}

/** Prices and table changes of a market with three open positions, in the order in which they happen. */
export function recordPushes(count: number): Recording {
  const market = openPaperMarket(MARKET);
  advance(market, 10_000);
  for (const symbol of ["EUR/USD", "USD/JPY", "GBP/USD"]) {
    market.execute("open_trade", order(symbol, true));
  }
  const snapshot = Object.fromEntries(
    MODELS.map((model) => [tables[model].member, market.snapshot(model)]),
  );
  const pushes: (readonly [string, string])[] = [];
  const models: readonly string[] = MODELS;
  market.subscribe({
    prices: (updates) => {
      for (const update of updates) pushes.push([update.Symbol, JSON.stringify(update)]);
    },
    changes: (changes) => {
      for (const { model, record } of changes) {
        if (models.includes(model)) pushes.push([model, JSON.stringify(record)]);
      }
    },
  });
  while (pushes.length < count) advance(market, 125);
  market.close();
  return { snapshot, pushes };
}

export function advance(market: PaperMarket, milliseconds: number): void {
  market.advanceTo(market.now + milliseconds);
}
