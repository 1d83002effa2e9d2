import { waitFor } from "@proj/test-kit";
import { forexHoursConfig, readMarketHours } from "@proj/trading-client";
import { describe, expect, it, onTestFinished } from "vitest";
import type { PaperMarketOptions } from "../../src/market/market-options.ts";
import { openPaperMarket, type PaperMarket } from "../../src/market/paper-market.ts";
import { TableMirror } from "../engine/table-mirror.ts";

const start = "2026-01-12T10:00:00Z";
const order = {
  account_id: "1",
  symbol: "EUR/USD",
  is_buy: true,
  amount: 1,
  order_type: "AtMarket",
  time_in_force: "GTC",
} as const;

function open(options: Partial<PaperMarketOptions> = {}): PaperMarket {
  const market = openPaperMarket({
    accounts: [{ account_id: "1", balance: 10_000 }],
    prices: { type: "random_walk", start },
    hours: null,
    speed: 0,
    ...options,
  });
  onTestFinished(() => market.close());
  return market;
}

describe("a market", () => {
  it("reports every price and change, in order, before a command returns", () => {
    const market = open();
    const heard: string[] = [];
    market.subscribe({
      prices: (updates) => heard.push(`${updates.length} prices`),
      changes: (changes) => {
        const orders = changes.filter(({ model }) => model === "Order");
        heard.push(orders.map(({ record }) => record.action).join("") || "figures");
      },
    });
    market.advanceTo(market.now + 1999);
    const result = market.execute("open_trade", order);
    heard.push(result.executed ? "answer" : "refusal");
    expect(heard).toEqual(["16 prices", "figures", "IUD", "answer"]);
  });

  it("keeps the order of events for all listeners when the first one places an order", () => {
    const market = open();
    market.advanceTo(market.now + 1000);
    let left = 3;
    market.subscribe({
      changes: () => {
        left -= 1;
        if (left > 0) market.execute("open_trade", order);
      },
    });
    const told: unknown[] = [];
    const mirror = new TableMirror();
    market.subscribe({
      changes: (changes) => {
        for (const change of changes) {
          if (change.model !== "Order") continue;
          mirror.apply(change);
          told.push(change.record.orderId);
        }
      },
    });
    market.execute("open_trade", order);
    expect(told).toEqual(told.toSorted());
    expect(new Set(told).size).toBe(3);
    expect(mirror.rows("Order")).toEqual([]);
  });

  it("stops calling unsubscribed listeners, and accepts the same one twice", () => {
    const market = open();
    let heard = 0;
    const listener = { prices: () => (heard += 1) };
    const endFirst = market.subscribe(listener);
    const endSecond = market.subscribe(listener);
    market.advanceTo(market.now + 1000);
    endFirst();
    market.advanceTo(market.now + 1000);
    endSecond();
    market.advanceTo(market.now + 1000);
    expect(heard).toBe(3);
  });

  it("shows instruments, prices and settings", () => {
    const market = open({ hours: { 1: forexHoursConfig }, speed: 0 });
    expect(market.price("EUR/USD")).toBeNull();
    market.advanceTo(market.now + 999);
    expect(market.price("EUR/USD")).toEqual({
      Updated: Date.parse(start),
      Rates: [1.08496, 1.08504, 1.08504, 1.08496].map(() => expect.any(Number)),
      Symbol: "EUR/USD",
    });
    expect(market.price("EUR/SEK")).toBeNull();
    market.execute("update_subscriptions", { symbol: "EUR/CHF", visible: false });
    expect(market.instruments().slice(3, 5)).toEqual([
      { symbol: "USD/CHF", visible: true, order: 4 },
      { symbol: "EUR/CHF", visible: false, order: 5 },
    ]);
    const properties = market.snapshot("Properties");
    expect(properties).toContainEqual({ name: "price_source", value: "random_walk" });
    expect(readMarketHours(properties).get(1)?.config).toEqual(forexHoursConfig);
  });

  it("moves at its speed and stops", async () => {
    const market = open({ speed: 1000 });
    const began = market.now;
    market.start();
    market.start();
    await waitFor(() => market.now > began + 120_000, "two minutes of market time");
    market.stop();
    const stopped = market.now;
    market.execute("open_trade", order);
    expect(market.now).toBe(stopped);
    market.start();
    await waitFor(() => market.now > stopped, "the market to go on");
  });

  it("moves to the present before it executes a command", () => {
    const market = open({ speed: 1_000_000 });
    market.start();
    const before = market.now;
    market.execute("open_trade", order);
    market.stop();
    expect(market.now).toBeGreaterThanOrEqual(before);
    const { time } = market.snapshot("OpenPosition")[0] ?? { time: "" };
    const [last] = market
      .snapshot("Offer")
      .map((offer) => offer.time)
      .toSorted()
      .slice(-1);
    expect(time >= (last ?? "")).toBe(true);
  });

  it("skips weekends when it is faster than real time", async () => {
    const market = open({
      speed: 1000,
      hours: { 1: forexHoursConfig },
      prices: { type: "random_walk", start: "2026-01-16T21:54:00Z" },
    });
    market.start();
    const opening = Date.parse("2026-01-18T22:00:00Z");
    await waitFor(() => market.now > opening, "the market to open again");
    expect(market.execute("open_trade", order).executed).toBe(true);
  });

  it("refuses commands after it is closed", () => {
    const market = open();
    market.close();
    market.close();
    expect(() => market.execute("open_trade", order)).toThrow(/closed/);
    expect(() => market.start()).toThrow(/closed/);
  });
});

describe("invalid options", () => {
  it.each<[Partial<PaperMarketOptions>, RegExp]>([
    [{ accounts: [] }, /accounts/],
    [{ accounts: [{ account_id: "01", balance: 1 }] }, /leading zeros.*01/],
    [{ accounts: [{ account_id: "1", account_name: "12", balance: 1 }] }, /account_name.*12/],
    [{ accounts: [{ account_id: "1", balance: -1 }] }, /balance/],
    [{ accounts: [1, 2].map(() => ({ account_id: "1", balance: 1 })) }, /1 twice/],
    [{ speed: -1 }, /speed/],
    [{ speed: Number.NaN }, /speed/],
    [{ limits: { orders: 0 } }, /limits.orders/],
    [{ instruments: [] }, /instruments/],
    [{ hours: { 1: { time_zone: "Mars", sessions: [] } } }, /session/],
  ])("are refused: %j", (options, message) => {
    expect(() => open(options)).toThrow(message);
  });

  it.each([
    [{ symbol: "EURUSD" }, /EURUSD/],
    [{ symbol: "EUR/SEK" }, /SEK.*USD\/SEK/],
    [{ pip: 0.000_001 }, /pip/],
    [{ base_unit: 0 }, /base_unit/],
    [{ offer_id: -1 }, /offer_id/],
    [{ rate_precision: 9 }, /rate_precision/],
    [{ start_rate: 0 }, /start_rate/],
    [{ spread: -1 }, /spread/],
    [{ mmr: Number.NaN }, /margins/],
    [{ base_unit: 10, liquidity: { amount: 15 } }, /liquidity.amount/],
    [{ liquidity: { amount: 15, levels: 0 } }, /liquidity.levels/],
  ])("of an instrument are refused: %j", (change, message) => {
    const instrument = {
      symbol: "EUR/USD",
      offer_id: 1,
      rate_precision: 5,
      pip: 0.0001,
      mmr: 36,
      start_rate: 1.1,
      spread: 1,
      ...change,
    };
    expect(() => open({ instruments: [instrument] })).toThrow(message);
  });
});
