import { join } from "node:path";
import { temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";
import { openPaperMarket } from "../../src/market/paper-market.ts";
import { StateError } from "../../src/state/state-error.ts";
import { accountId, hedgingId, marketOrder, TradingFloor } from "./trading-floor.ts";

const accountsOf = (...currencies: readonly string[]) =>
  currencies.map((currency, index) => ({
    account_id: [accountId, hedgingId][index] ?? "3",
    balance: 10_000,
    currency,
  }));

test("profit, margin and pip values are in the account's currency, at the market's rates", () => {
  const floor = new TradingFloor({ accounts: accountsOf("GBP"), instrument: { mmr: 36 } });
  floor.price("GBP/USD", 1.25, 1.25);
  floor.price("EUR/USD", 1.1, 1.1);
  floor.trade();
  floor.price("EUR/USD", 1.11, 1.11);
  // 10,000 euros gain a dollar cent each: 100 dollars, or 80 pounds. 360 dollars of margin are 288 pounds.
  expect(floor.row("OpenPosition")).toMatchObject({
    grossPL: 80,
    usedMargin: 288,
    currencyPoint: 0.8,
  });
  expect(floor.row("Account")).toMatchObject({ equity: 10_080, usdMr: 288, usableMargin: 9792 });
  expect(floor.row("Summary")).toMatchObject({ grossPL: 80, usedMargin: 288 });
  // The pound rises: the same dollars are fewer pounds.
  floor.price("GBP/USD", 1.6, 1.6);
  expect(floor.row("OpenPosition")).toMatchObject({ grossPL: 62.5, usedMargin: 225 });
  expect(floor.row("Account")).toMatchObject({ equity: 10_062.5, usdMr: 225 });
});

test("without a direct instrument money converts through dollars, rounded once", () => {
  const floor = new TradingFloor({ accounts: accountsOf("GBP") });
  floor.price("GBP/USD", 1.27, 1.27002);
  floor.price("USD/JPY", 150.001, 150.004);
  floor.trade({ symbol: "USD/JPY", amount: 7 });
  floor.price("USD/JPY", 150.777, 150.78);
  const yen = 7000 * (150.777 - 150.004);
  const pounds = yen / ((150.777 + 150.78) / 2) / ((1.27 + 1.27002) / 2);
  expect(floor.row("OpenPosition").grossPL).toBe(Math.round(pounds * 100) / 100);
});

test("realised profit, swaps and commission are booked in the account's currency", () => {
  const floor = new TradingFloor({
    accounts: accountsOf("JPY"),
    instrument: { roll_buy: -0.5 },
    fillModel: { commission: 0.1 },
  });
  floor.price("USD/JPY", 150, 150);
  floor.price("EUR/USD", 1.1, 1.1);
  floor.trade({ amount: 1 });
  // A tenth of a dollar, in yen.
  expect(floor.row("OpenPosition").com).toBe(-15);
  floor.pass(24 * 3_600_000);
  expect(floor.row("OpenPosition").roll).toBe(-75);
  floor.price("EUR/USD", 1.11, 1.11);
  floor.ask("close_trade", {
    ...{ trade_id: floor.row("OpenPosition").tradeId, amount: 0 },
    ...{ order_type: "AtMarket", time_in_force: "GTC" },
  });
  expect(floor.row("ClosedPosition")).toMatchObject({ grossPL: 1500, roll: -75, com: -30 });
  expect(floor.row("Account").balance).toBe(10_000 + 1500 - 75 - 30);
});

test("with accounts in several currencies, the Summary table is in dollars", () => {
  const floor = new TradingFloor({ accounts: accountsOf("EUR", "USD") });
  floor.price("EUR/USD", 1.25, 1.25);
  for (const account_id of [accountId, hedgingId]) floor.trade({ account_id });
  floor.price("EUR/USD", 1.6, 1.6);
  const [euros, dollars] = floor.rows("OpenPosition");
  expect([euros?.grossPL, dollars?.grossPL]).toEqual([2187.5, 3500]);
  expect(floor.row("Summary").grossPL).toBe(7000);
});

test("an account cannot deal until its converting instrument has a price; others can", () => {
  const floor = new TradingFloor({ accounts: accountsOf("GBP", "USD") });
  floor.price("EUR/USD", 1.1, 1.1);
  expect(floor.refused("open_trade", marketOrder).message).toMatch(/price/i);
  floor.trade({ account_id: hedgingId });
  floor.price("GBP/USD", 1.25, 1.25);
  floor.trade();
});

test("a currency that no instrument converts, or that differs from the state's, is refused", async () => {
  await using folder = await temporaryFolder();
  const state_file = join(folder.path, "market.db");
  const options = (currency: string) => ({
    ...{ accounts: accountsOf(currency), speed: 0, state_file },
    prices: { type: "random_walk", start: "2026-01-12T10:00:00Z" } as const,
  });
  expect(() => openPaperMarket(options("SEK"))).toThrow("USD/SEK or SEK/USD");
  expect(() => openPaperMarket(options("euro"))).toThrow("three capital letters");
  const market = openPaperMarket(options("EUR"));
  expect(market.snapshot("Properties")).toContainEqual(
    expect.objectContaining({ name: "account_currency", value: "EUR" }),
  );
  market.advanceTo(market.now + 60_000);
  expect(market.execute("open_trade", marketOrder)).toMatchObject({ executed: true });
  market.close();
  expect(() => openPaperMarket(options("JPY"))).toThrow(StateError);
});
