import { describe, expect, it } from "vitest";
import { accountId, entryOrder, marketOrder, TradingFloor } from "./trading-floor.ts";

function floorAt(options = {}): TradingFloor {
  const floor = new TradingFloor(options);
  floor.price("EUR/USD", 1.1, 1.1001);
  return floor;
}

describe("identifiers", () => {
  it.each(["0001537581", "01537581", "001537581"])(
    "refuses the account name %s as account_id with code 3, but accepts its id",
    (account_id) => {
      const floor = floorAt();
      const refusal = floor.refused("open_trade", { ...marketOrder, account_id });
      expect(refusal).toMatchObject({ code: 3, parameters: ["10"] });
      expect(refusal.message).toMatch(/divisible by 10.*1537581/);
      const entry = { ...entryOrder, rate: 1.09, account_id };
      expect(floor.refused("create_entry_order", entry).code).toBe(3);
      const all = { forSymbol: true, symbol: "EUR/USD" };
      const close = { account_id, ...all, order_type: "AtMarket", time_in_force: "GTC" } as const;
      expect(floor.refused("close_all_for_symbol", close).code).toBe(3);
      floor.trade({ account_id: "1537581" });
    },
  );

  it("refuses an order id as a trade id and vice versa", () => {
    const floor = floorAt();
    const orderId = floor.trade();
    const entryId = floor.entry({ rate: 1.09 });
    const close = { order_type: "AtMarket", time_in_force: "GTC" } as const;
    const refusal = floor.refused("close_trade", { trade_id: orderId, ...close });
    expect(refusal).toMatchObject({ code: 24, parameters: [orderId] });
    expect(floor.refused("close_trade", { trade_id: entryId, ...close }).code).toBe(24);
    const { tradeId } = floor.row("OpenPosition");
    expect(floor.refused("delete_order", { order_id: tradeId }).code).toBe(23);
    expect(floor.refused("delete_order", { order_id: orderId }).code).toBe(23);
  });

  it.each([
    ["an unknown account", { account_id: "99" }, 21],
    ["the name of an unknown account", { account_id: "00099" }, 21],
    ["an unknown symbol", { symbol: "EUR/SEK" }, 22],
    ["a symbol without a price", { symbol: "GBP/USD" }, 27],
    ["a symbol whose profit cannot be converted yet", { symbol: "EUR/CHF" }, 27],
  ])("%s is refused", (_name, change, code) => {
    expect(floorAt().refused("open_trade", { ...marketOrder, ...change }).code).toBe(code);
  });
});

describe("an amount", () => {
  it.each([0, -10, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 10_000_001])(
    "of %d is refused",
    (amount) => {
      const refusal = floorAt().refused("open_trade", { ...marketOrder, amount });
      expect(refusal).toMatchObject({ code: 28, parameters: ["amount", String(amount)] });
    },
  );

  it("that is not a multiple of the base unit is refused with code 3 and the unit", () => {
    const floor = floorAt({ instrument: { base_unit: 10 } });
    const refusal = floor.refused("open_trade", { ...marketOrder, amount: 15 });
    expect(refusal).toEqual({
      code: 3,
      message: "Amount must be divisible by 10",
      parameters: ["10"],
    });
    floor.trade({ amount: 20 });
    const close = { trade_id: "500000001", order_type: "AtMarket", time_in_force: "GTC" } as const;
    expect(floor.refused("close_trade", { ...close, amount: 5 }).code).toBe(3);
    const order_id = floor.entry({ rate: 1.09 });
    expect(floor.refused("change_order", { order_id, amount: 12 }).code).toBe(3);
  });

  it("to close cannot exceed the open amount", () => {
    const floor = floorAt();
    floor.trade();
    const close = { trade_id: "500000001", order_type: "AtMarket", time_in_force: "GTC" } as const;
    expect(floor.refused("close_trade", { ...close, amount: 11 }).code).toBe(28);
  });
});

describe("an invalid value", () => {
  it.each([
    ["order_type", { order_type: "Limit" as "AtMarket" }],
    ["time_in_force", { time_in_force: "GTD" as "GTC" }],
    ["rate", { rate: -1 }],
    ["rate", { rate: Number.NaN }],
    ["at_market", { order_type: "MarketRange" as const, at_market: -1 }],
    ["stop", { stop: Number.POSITIVE_INFINITY }],
    ["limit", { limit: -1.2 }],
  ])("of %s is refused and named", (name, change) => {
    const refusal = floorAt().refused("open_trade", { ...marketOrder, ...change });
    expect(refusal).toMatchObject({ code: 28, parameters: [name, expect.any(String)] });
  });

  it.each([
    ["rate", { rate: 0 }],
    ["rate", { rate: -1 }],
    ["order_type", { rate: 1.09, order_type: "AtMarket" as "Entry" }],
    ["expiration", { rate: 1.09, time_in_force: "GTD" as const }],
    ["expiration", { rate: 1.09, time_in_force: "GTD" as const, expiration: "tomorrow" }],
    ["expiration", { rate: 1.09, time_in_force: "GTD" as const, expiration: "2026-13-01" }],
    ["expiration", { rate: 1.09, time_in_force: "GTD" as const, expiration: "2026-01-12 10:00" }],
  ])("of an entry order's %s is refused and named: %j", (name, change) => {
    const refusal = floorAt().refused("create_entry_order", { ...entryOrder, ...change });
    expect(refusal.code).toBe(28);
    expect(refusal.parameters[0]).toBe(name);
  });
});

describe("changes", () => {
  it("of a stop's amount, or of an order being filled, are refused", () => {
    const floor = floorAt({ instrument: { liquidity: { amount: 4, levels: 1, recovery_ms: 0 } } });
    floor.trade({ amount: 4, stop: 1.09 });
    const stop = floor.row("Order").orderId;
    expect(floor.refused("change_order", { order_id: stop, amount: 2 }).code).toBe(29);
    expect(floor.refused("change_order_stop_limit", { order_id: stop, stop: 1 }).code).toBe(29);
    const waiting = floor.trade({ amount: 8 });
    expect(floor.refused("change_order", { order_id: waiting, rate: 1 }).code).toBe(29);
    floor.ask("delete_order", { order_id: waiting });
  });
});

describe("a bound", () => {
  it("of orders and of positions applies per account", () => {
    const floor = floorAt({ limits: { orders: 4, positions: 2 } });
    floor.trade();
    floor.trade();
    const order = { ...marketOrder, amount: 1 };
    expect(floor.refused("open_trade", order)).toMatchObject({ code: 32, parameters: ["2"] });
    for (const rate of [1.01, 1.02, 1.03, 1.04]) floor.entry({ rate });
    const entry = { ...entryOrder, rate: 1.05 };
    expect(floor.refused("create_entry_order", entry)).toMatchObject({
      code: 32,
      parameters: ["4"],
    });
    floor.entry({ rate: 1.05, account_id: "2000" });
  });

  it("of positions applies to the parts of one order: the rest waits for room", () => {
    const instrument = { liquidity: { amount: 1 } };
    const floor = floorAt({ limits: { positions: 3 }, instrument });
    const waiting = floor.trade({ amount: 5 });
    expect(floor.rows("OpenPosition")).toHaveLength(3);
    expect(floor.row("Order")).toMatchObject({ orderId: waiting, amountK: 2 });
    floor.price("EUR/USD", 1.1);
    expect(floor.row("Order").amountK).toBe(2);
    const trade = { trade_id: "500000001", order_type: "AtMarket", time_in_force: "GTC" } as const;
    floor.ask("close_trade", trade);
    floor.price("EUR/USD", 1.1);
    expect(floor.row("Order").amountK).toBe(1);
    expect(floor.rows("OpenPosition")).toHaveLength(3);
  });
});

it("a refused request changes nothing", () => {
  const floor = floorAt();
  floor.trade({ stop: 1.09 });
  floor.pushes([]);
  const order_id = floor.row("Order").orderId;
  floor.refused("open_trade", { ...marketOrder, limit: 1 });
  floor.refused("change_order", { order_id, rate: 1.2 });
  floor.refused("close_all_for_symbol", {
    account_id: accountId,
    forSymbol: true,
    symbol: "GBP/USD",
    order_type: "AtMarket",
    time_in_force: "GTC",
  });
  expect(floor.changes).toEqual([]);
  expect(floor.engine.book.hasUnsaved).toBe(true);
});
