import { describe, expect, it } from "vitest";
import { FillModel, type FillModelConfig } from "../../src/engine/fill-model.ts";
import { accountId, type FloorOptions, secondMs, TradingFloor } from "./trading-floor.ts";

function floorWith(fillModel: FillModelConfig, options: FloorOptions = {}): TradingFloor {
  const floor = new TradingFloor({ ...options, fillModel });
  floor.price("EUR/USD", 1.1, 1.1001);
  return floor;
}

describe("latency", () => {
  it("executes a market order at the price when it arrives", () => {
    const floor = floorWith({ latency_ms: 1500 });
    floor.trade();
    expect(floor.rows("OpenPosition")).toEqual([]);
    expect(floor.row("Order")).toMatchObject({ type: "OM", status: 2 });
    floor.price("EUR/USD", 1.2, 1.2001);
    expect(floor.rows("OpenPosition")).toEqual([]);
    // The order arrives half a second after this price and before the next one.
    floor.price("EUR/USD", 1.3, 1.3001);
    expect(floor.row("OpenPosition")).toMatchObject({ open: 1.2001, close: 1.3 });
    expect(floor.rows("Order")).toEqual([]);
  });

  it("applies without a new price, and to closing orders", () => {
    const floor = floorWith({ latency_ms: 400 });
    floor.trade();
    floor.pass(399);
    expect(floor.rows("OpenPosition")).toEqual([]);
    floor.pass(1);
    const { tradeId: trade_id } = floor.row("OpenPosition");
    const closing = { trade_id, order_type: "AtMarket", time_in_force: "GTC" } as const;
    floor.ask("close_trade", closing);
    floor.ask("close_trade", closing);
    expect(floor.rows("OpenPosition")).toHaveLength(1);
    floor.pass(400);
    expect(floor.rows("OpenPosition")).toEqual([]);
    expect(floor.rows("ClosedPosition")).toHaveLength(1);
    expect(floor.rows("Order")).toEqual([]);
  });

  it("cancels an order whose margin is gone when it arrives", () => {
    const floor = floorWith(
      { latency_ms: 500 },
      { accounts: [{ account_id: accountId, balance: 1000 }] },
    );
    for (let order = 0; order < 2; order += 1) floor.trade({ amount: 20 });
    floor.pushes([]);
    floor.pass(secondMs);
    expect(floor.rows("OpenPosition")).toHaveLength(1);
    expect(floor.rows("Order")).toEqual([]);
  });

  it("cancels an order that arrives after the market has closed", () => {
    const hours = {
      1: {
        time_zone: "UTC",
        sessions: [{ opens: "Monday 00:00", closes: "Monday 10:00" }],
      },
    };
    const now = Date.parse("2026-01-12T09:59:58Z");
    const floor = floorWith({ latency_ms: 2000 }, { hours, now });
    floor.trade();
    floor.pass(3000);
    expect([floor.rows("OpenPosition"), floor.rows("Order")]).toEqual([[], []]);
  });
});

describe("slippage", () => {
  it("makes some fills worse, within its limit, and none better", () => {
    const floor = floorWith({ slippage_share: 0.5, slippage_pips: 0.7 });
    const slips: number[] = [];
    for (let trade = 0; trade < 60; trade += 1) {
      floor.price("EUR/USD", 1.1, 1.1001);
      floor.trade({ amount: 1 });
      const position = floor.rows("OpenPosition").at(-1);
      slips.push(Math.round(((position?.open ?? 0) - 1.1001) * 1e5));
    }
    expect(slips.filter((slip) => slip === 0).length).toBeGreaterThan(15);
    expect(new Set(slips.filter((slip) => slip > 0)).size).toBeGreaterThan(3);
    expect(Math.min(...slips)).toBe(0);
    expect(Math.max(...slips)).toBeLessThanOrEqual(7);
  });

  it("never fills an order outside its range or a limit beyond its rate", () => {
    const floor = floorWith({ slippage_share: 1, slippage_pips: 5 });
    const { orderId } = Object(
      floor.ask("open_trade", {
        ...{ account_id: accountId, symbol: "EUR/USD", is_buy: true, amount: 1, at_market: 0 },
        ...{ order_type: "MarketRange", time_in_force: "IOC" },
      }),
    );
    expect(orderId).toBeGreaterThan(0);
    expect(floor.rows("OpenPosition")).toEqual([]);
    floor.entry({ rate: 1.09, amount: 1 });
    floor.price("EUR/USD", 1.0899, 1.09);
    expect(floor.row("OpenPosition").open).toBe(1.09);
  });
});

it("a limit fills at some prices that touch it and at all better ones", () => {
  const floor = floorWith({ touch_share: 0.3 });
  let touches = 0;
  for (let order = 0; order < 20; order += 1) {
    floor.entry({ rate: 1.09, amount: 1 });
    floor.price("EUR/USD", 1.0899, 1.09);
    touches += floor.rows("Order").length === 0 ? 1 : 0;
    floor.price("EUR/USD", 1.0898, 1.0899);
    expect(floor.rows("Order")).toEqual([]);
    floor.price("EUR/USD", 1.1, 1.1001);
  }
  expect(touches).toBeGreaterThan(1);
  expect(touches).toBeLessThan(15);
});

it("an order larger than a level fills level by level, to the market's depth", () => {
  const floor = floorWith({ depth: { amount: 10, step: 0.5, levels: 2 } });
  floor.trade({ amount: 25, time_in_force: "IOC" });
  expect(floor.rows("OpenPosition").map(({ amountK, open }) => [amountK, open])).toEqual([
    [10, 1.1001],
    [10, 1.10015],
  ]);
});

it("commission is charged for opening and closing, in proportion to the parts closed", () => {
  const floor = floorWith({ commission: 0.035 });
  floor.trade({ amount: 10 });
  const { tradeId: trade_id, com, grossPL } = floor.row("OpenPosition");
  expect(com).toBe(-0.35);
  expect(floor.row("Account", accountId)).toMatchObject({
    balance: 9999.65,
    equity: Number((9999.65 + grossPL).toFixed(2)),
  });
  expect(floor.row("Summary").netPL).toBe(Number((grossPL - 0.35).toFixed(2)));
  const closing = { trade_id, order_type: "AtMarket", time_in_force: "GTC" } as const;
  floor.ask("close_trade", { ...closing, amount: 3 });
  floor.ask("close_trade", closing);
  const closed = floor.rows("ClosedPosition");
  // Closing 3,000 costs 0.11 and closing 7,000 costs 0.25, plus their shares of the 0.35 for opening.
  expect(closed.map((row) => row.com)).toEqual([-0.21, -0.5]);
  expect(floor.row("Account", accountId).balance).toBe(
    Number((10_000 - 0.71 + closed.reduce((sum, row) => sum + row.grossPL, 0)).toFixed(2)),
  );
});

it("a protected account never owes money after a gap", () => {
  for (const negative_balance_protection of [false, true]) {
    const floor = floorWith(
      { negative_balance_protection },
      { accounts: [{ account_id: accountId, balance: 800 }] },
    );
    floor.trade({ amount: 20 });
    floor.price("EUR/USD", 1.05);
    const { balance, equity } = floor.row("Account");
    expect([balance, equity]).toEqual(negative_balance_protection ? [0, 0] : [-202, -202]);
  }
});

it("an invalid model is refused, and settings override the profile's", () => {
  expect(() => new FillModel({ slippage_share: 2 })).toThrow("slippage_share must be from 0 to 1");
  expect(() => new FillModel({ touch_share: 0 })).toThrow("touch_share");
  expect(() => new FillModel({ latency_ms: -1 })).toThrow("latency_ms must not be negative");
  expect(() => new FillModel({ depth: { amount: 0 } })).toThrow("depth");
  const model = new FillModel({ profile: "realistic", commission: 0 });
  expect([model.commission(10), model.protectsBalance]).toEqual([0, true]);
  expect(new FillModel(null).due(5, 1)).toBe(0);
});
