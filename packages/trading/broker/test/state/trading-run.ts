import { timeFrameIds } from "@proj/trading-client";
import type { CommandResult } from "../../src/engine/command.ts";
import type { FillModelConfig } from "../../src/engine/fill-model.ts";
import { defaultInstruments } from "../../src/instruments/instrument-config.ts";
import type { PaperMarketOptions } from "../../src/market/market-options.ts";
import type { PaperMarket } from "../../src/market/paper-market.ts";
import { accountsIn, type Currencies, dollars } from "../engine/session-accounts.ts";

/** A shallow market that moves on demand and uses every feature. */
export const tradingOptions: PaperMarketOptions = {
  accounts: [
    { account_id: "1", balance: 10_000 },
    { account_id: "2", balance: 5_000, hedging: true, equity_stop: 1000 },
  ],
  instruments: defaultInstruments.map((instrument) => ({
    ...instrument,
    liquidity: { amount: 6, step: 0.2, levels: 2 },
    volatility: 3,
  })),
  prices: { type: "random_walk", seed: 4, start: "2026-01-16T10:00:00Z", tick_interval_ms: 20_000 },
  speed: 0,
};

/** tradingOptions with a fill model; the model's depth, if any, applies. */
export function optionsWith(
  fill_model: FillModelConfig | null,
  currencies: Currencies = dollars,
): PaperMarketOptions {
  const instruments = fill_model?.depth ? defaultInstruments : (tradingOptions.instruments ?? []);
  const accounts = accountsIn(currencies, tradingOptions.accounts);
  return { ...tradingOptions, accounts, instruments, fill_model };
}

const symbols = ["EUR/USD", "USD/JPY", "EUR/CHF"] as const;

/** The nth step: some minutes of prices and a command. */
export function step(market: PaperMarket, number: number): CommandResult {
  passTime(market, number);
  return command(market, number);
}

export function passTime(market: PaperMarket, number: number): void {
  market.advanceTo(market.now + (number % 11 === 0 ? 9_000_000 : 300_000));
}

/** The nth command, which depends on the number and the state. */
export function command(market: PaperMarket, number: number): CommandResult {
  const symbol = symbols[number % symbols.length] ?? "EUR/USD";
  const order = {
    account_id: number % 4 === 0 ? "2" : "1",
    symbol,
    is_buy: number % 3 === 0,
    amount: 5 + (number % 20),
  };
  const rate = market.price(symbol)?.Rates[0] ?? 1;
  const first = market.snapshot("OpenPosition")[0]?.tradeId ?? "1";
  switch (number % 6) {
    case 0:
    case 1: {
      const side = order.is_buy ? 1 : -1;
      return market.execute("open_trade", {
        ...order,
        stop: -side * 30,
        limit: side * 40,
        is_in_pips: true,
        trailing_stop_step: number % 2,
        order_type: "AtMarket",
        time_in_force: "GTC",
      });
    }
    case 2:
      return market.execute("create_entry_order", {
        ...order,
        rate: rate * (number % 2 === 0 ? 0.999 : 1.001),
        time_in_force: number % 5 === 0 ? "DAY" : "GTC",
      });
    case 3:
      return market.execute("simple_oco", {
        ...order,
        time_in_force: "GTC",
        rate: rate * 1.0005,
        is_buy2: !order.is_buy,
        rate2: rate * 0.9995,
      });
    case 4:
      return market.execute("close_trade", {
        trade_id: first,
        amount: 2,
        order_type: "AtMarket",
        time_in_force: "GTC",
      });
    default:
      return number % 4 === 3
        ? market.execute("change_trade_stop_limit", {
            trade_id: first,
            is_stop: number % 8 === 3,
            rate: number % 8 === 3 ? 0 : 60,
            is_in_pips: true,
          })
        : market.execute("update_subscriptions", { symbol, visible: number % 8 === 1 });
  }
}

/** Everything a market shows except the time. */
export function everything(market: PaperMarket): object {
  const byKey = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).toSorted();
  return {
    offers: byKey(market.snapshot("Offer")),
    positions: byKey(market.snapshot("OpenPosition")),
    closed: byKey(market.snapshot("ClosedPosition")),
    orders: market.snapshot("Order"),
    summary: byKey(market.snapshot("Summary")),
    accounts: market.snapshot("Account"),
    instruments: market.instruments(),
    candles: timeFrameIds.map((frame) => market.candles({ offer_id: 2, frame, num: 200 })),
  };
}
