import { plainOrder } from "@proj/test-kit";
import { describe, expect, it } from "vitest";
import { accountId, hedgingId, TradingFloor } from "./trading-floor.ts";

const all = ["Order", "OpenPosition", "ClosedPosition"] as const;

describe("a market order", () => {
  it("is inserted, updated with its trade and deleted before its position is inserted", () => {
    const floor = new TradingFloor();
    floor.price("EUR/USD", 1.1, 1.1001);
    floor.pushes([]);
    const orderId = floor.trade();
    expect(floor.pushes(all, ["orderId", "tradeId", "status"])).toEqual([
      `Order I ${orderId} 500000001 2`,
      `Order U ${orderId} 500000001 6`,
      `Order D ${orderId} 9`,
      `OpenPosition I ${orderId} 500000001`,
    ]);
  });

  it("has every field when it is inserted", () => {
    const floor = new TradingFloor();
    floor.price("EUR/USD", 1.1, 1.1001);
    floor.trade({ amount: 5, is_buy: false });
    const [insert] = floor.changes.filter(({ model }) => model === "Order");
    expect(insert?.record).toEqual({
      t: 3,
      ...{ ratePrecision: 5, tradeId: "500000001" },
      orderId: "100000001",
      time: "01122026100001000",
      accountName: "0001537581",
      accountId,
      timeInForce: "GTC",
      expireDate: "",
      currency: "EUR/USD",
      isBuy: false,
      buy: 0,
      sell: 1.1,
      type: "OM",
      status: 2,
      amountK: 5,
      currencyPoint: 0.5,
      ...plainOrder,
      action: "I",
    });
  });

  it("buys at the ask and sells at the bid", () => {
    const floor = new TradingFloor();
    floor.price("EUR/USD", 1.1, 1.1001);
    floor.trade({ account_id: hedgingId, is_buy: true });
    floor.trade({ account_id: hedgingId, is_buy: false });
    const rates = floor.rows("OpenPosition").map(({ isBuy, open, close }) => [isBuy, open, close]);
    expect(rates).toEqual([
      [true, 1.1001, 1.1],
      [false, 1.1, 1.1001],
    ]);
  });

  it("gives its position the stop and limit as separate orders", () => {
    const floor = new TradingFloor();
    floor.price("EUR/USD", 1.1, 1.1001);
    floor.trade({ stop: -20, limit: 30.5, is_in_pips: true });
    expect(floor.row("OpenPosition")).toMatchObject({ stop: 1.0981, limit: 1.10315, stopMove: 0 });
    const orders = floor.rows("Order").map(({ type, isBuy, sell, tradeId, amountK, status }) => ({
      type,
      isBuy,
      sell,
      tradeId,
      amountK,
      status,
    }));
    const both = { isBuy: false, tradeId: "500000001", amountK: 10, status: 1 };
    expect(orders).toEqual([
      { type: "S", sell: 1.0981, ...both },
      { type: "L", sell: 1.10315, ...both },
    ]);
  });

  it("accepts stop and limit as rates", () => {
    const floor = new TradingFloor();
    floor.price("EUR/USD", 1.1, 1.1001);
    floor.trade({ is_buy: false, stop: 1.105, limit: 1.09 });
    expect(floor.row("OpenPosition")).toMatchObject({ stop: 1.105, limit: 1.09 });
  });
});

describe("partial fills", () => {
  // It is there again at once: how it comes back is tested elsewhere.
  const liquidity = { amount: 40, step: 0.5, recovery_ms: 0 };

  it("opens a trade per level, each in its own update", () => {
    const floor = new TradingFloor({ instrument: { liquidity } });
    floor.price("EUR/USD", 1.1, 1.1001);
    floor.pushes([]);
    const orderId = floor.trade({ amount: 100 });
    expect(floor.pushes(all, ["orderId", "tradeId", "amountK"])).toEqual([
      `Order I ${orderId} 500000001 100`,
      `Order U ${orderId} 500000001`,
      `Order U ${orderId} 500000002`,
      `Order U ${orderId} 500000003`,
      `Order D ${orderId}`,
      `OpenPosition I ${orderId} 500000001 40`,
      `OpenPosition I ${orderId} 500000002 40`,
      `OpenPosition I ${orderId} 500000003 20`,
    ]);
    expect(floor.rows("OpenPosition").map(({ open }) => open)).toEqual([1.1001, 1.10015, 1.1002]);
  });

  it("with GTC leaves the rest waiting for the next prices in a shallow market", () => {
    const floor = new TradingFloor({ instrument: { liquidity: { ...liquidity, levels: 1 } } });
    floor.price("EUR/USD", 1.1, 1.1001);
    const orderId = floor.trade({ amount: 100 });
    expect(floor.row("Order")).toMatchObject({ orderId, status: 7, amountK: 60 });
    floor.price("EUR/USD", 1.2, 1.2001);
    expect(floor.row("Order")).toMatchObject({ orderId, status: 7, amountK: 20 });
    floor.price("EUR/USD", 1.3, 1.3001);
    expect(floor.rows("Order")).toEqual([]);
    const trades = floor.rows("OpenPosition").map(({ open, amountK }) => [open, amountK]);
    expect(trades).toEqual([
      [1.1001, 40],
      [1.2001, 40],
      [1.3001, 20],
    ]);
    const orders = new Set(floor.rows("OpenPosition").map((position) => position.orderId));
    expect(orders).toEqual(new Set([orderId]));
  });

  it("with IOC cancels the rest, with FOK everything unless all of it can be filled", () => {
    const floor = new TradingFloor({ instrument: { liquidity: { ...liquidity, levels: 2 } } });
    floor.price("EUR/USD", 1.1, 1.1001);
    floor.pushes([]);
    floor.trade({ amount: 100, time_in_force: "IOC" });
    floor.trade({ amount: 100, time_in_force: "FOK" });
    floor.trade({ amount: 80, time_in_force: "FOK" });
    expect(floor.pushes(["Order"], ["tradeId", "status"])).toEqual([
      ...["Order I 500000001 2", "Order U 500000001 6", "Order U 500000002 6", "Order D 3"],
      ...["Order I 2", "Order D 3"],
      ...["Order I 500000003 2", "Order U 500000003 6", "Order U 500000004 6", "Order D 9"],
    ]);
  });
});

describe("a range order", () => {
  const range = { order_type: "MarketRange", time_in_force: "IOC" } as const;

  it("fills up to the end of its range", () => {
    const floor = new TradingFloor({ instrument: { liquidity: { amount: 10, step: 1 } } });
    floor.price("EUR/USD", 1.1, 1.1001);
    floor.trade({ ...range, amount: 50, at_market: 2 });
    const rates = floor.rows("OpenPosition").map(({ open }) => open);
    expect(rates).toEqual([1.1001, 1.1002, 1.1003]);
  });

  it("counts the range from its rate", () => {
    const floor = new TradingFloor();
    floor.price("EUR/USD", 1.1, 1.1001);
    floor.pushes([]);
    floor.trade({ ...range, rate: 1.0998, at_market: 2 });
    expect(floor.pushes(["Order"], ["type", "range", "status"])).toEqual([
      "Order I OR 2 2",
      "Order D 3",
    ]);
    floor.trade({ ...range, rate: 1.0999, at_market: 2 });
    expect(floor.row("OpenPosition").open).toBe(1.1001);
  });

  it("with GTC waits for a price within its range", () => {
    const floor = new TradingFloor();
    floor.price("EUR/USD", 1.1, 1.1001);
    floor.trade({ ...range, time_in_force: "GTC", rate: 1.0998, at_market: 1 });
    expect(floor.row("Order")).toMatchObject({ type: "OR", status: 7, amountK: 10 });
    floor.price("EUR/USD", 1.0997, 1.0998);
    expect(floor.row("OpenPosition").open).toBe(1.0998);
  });
});
