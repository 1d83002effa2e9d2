import { describe, expect, it } from "vitest";
import { accountId, hedgingId, TradingFloor } from "./trading-floor.ts";

const all = ["Order", "OpenPosition", "ClosedPosition"] as const;
const atMarket = { order_type: "AtMarket", time_in_force: "GTC" } as const;

function floorWithTrade(): TradingFloor {
  const floor = new TradingFloor();
  floor.price("EUR/USD", 1.1, 1.1001);
  floor.trade({ amount: 10 });
  floor.pushes([]);
  return floor;
}

describe("closing a trade", () => {
  it("inserts a closed position, deletes the open one and books the profit", () => {
    const floor = floorWithTrade();
    floor.price("EUR/USD", 1.1051, 1.1052);
    floor.pushes([]);
    floor.ask("close_trade", { trade_id: "500000001", ...atMarket });
    expect(floor.pushes(all, ["tradeId", "type", "status"])).toEqual([
      "Order I CM 2",
      "Order U 500000001 6",
      "Order D 9",
      "ClosedPosition I 500000001",
      "OpenPosition D 500000001",
    ]);
    expect(floor.row("ClosedPosition")).toMatchObject({
      tradeId: "500000001",
      orderId: "100000001",
      open: 1.1001,
      close: 1.1051,
      grossPL: 50,
      visiblePL: 50,
      amountK: 10,
      isBuy: true,
      openTime: "01122026100001000",
      closeTime: "01122026100002000",
    });
    expect(floor.row("Account", accountId)).toMatchObject({ balance: 10_050, equity: 10_050 });
  });

  it("closes a part of it", () => {
    const floor = floorWithTrade();
    floor.ask("close_trade", { trade_id: "500000001", amount: 4, ...atMarket });
    floor.ask("close_trade", { trade_id: "500000001", amount: 6, ...atMarket });
    const closed = floor.rows("ClosedPosition").map(({ tradeId, amountK }) => [tradeId, amountK]);
    expect(closed).toEqual([
      ["500000002", 4],
      ["500000001", 6],
    ]);
    expect(floor.rows("OpenPosition")).toEqual([]);
  });

  it("removes its stop and limit, or reduces them", () => {
    const floor = floorWithTrade();
    const trade_id = "500000001";
    floor.ask("change_trade_stop_limit", { trade_id, is_stop: true, rate: 1.09 });
    floor.ask("change_trade_stop_limit", { trade_id, is_stop: false, rate: 1.12 });
    floor.ask("close_trade", { trade_id, amount: 4, ...atMarket });
    expect(floor.rows("Order").map(({ type, amountK }) => [type, amountK])).toEqual([
      ["S", 6],
      ["L", 6],
    ]);
    floor.ask("close_trade", { trade_id, ...atMarket });
    expect(floor.rows("Order")).toEqual([]);
  });

  it("closes nothing when the price is outside the range", () => {
    const floor = floorWithTrade();
    const range = { order_type: "MarketRange", time_in_force: "IOC", at_market: 1 } as const;
    floor.ask("close_trade", { trade_id: "500000001", ...range, rate: 1.1002 });
    expect(floor.pushes(all, ["type", "status"])).toEqual(["Order I CR 2", "Order D 3"]);
    floor.ask("close_trade", { trade_id: "500000001", ...range, rate: 1.1001 });
    expect(floor.rows("OpenPosition")).toEqual([]);
  });

  it("cancels a waiting close when its trade is closed by another order", () => {
    const floor = new TradingFloor({
      instrument: { liquidity: { amount: 5, levels: 1, recovery_ms: 0 } },
    });
    floor.price("EUR/USD", 1.1);
    floor.trade({ amount: 5 });
    floor.ask("close_trade", {
      trade_id: "500000001",
      time_in_force: "GTC",
      order_type: "MarketRange",
      rate: 1.2,
    });
    expect(floor.row("Order")).toMatchObject({ type: "CR", status: 7 });
    floor.trade({ amount: 5, is_buy: false });
    expect(floor.rows("Order")).toEqual([]);
  });
});

describe("closing all", () => {
  it("closes a symbol with one order per side", () => {
    const floor = new TradingFloor();
    floor.price("EUR/USD", 1.1);
    floor.price("GBP/USD", 1.3);
    for (const is_buy of [true, true, false]) floor.trade({ account_id: hedgingId, is_buy });
    floor.trade({ account_id: hedgingId, symbol: "GBP/USD" });
    floor.pushes([]);
    const request = { account_id: hedgingId, forSymbol: true, symbol: "EUR/USD", ...atMarket };
    const data = floor.ask("close_all_for_symbol", request);
    expect(data).toEqual([
      { type: 0, orderId: 100000005 },
      { type: 0, orderId: 100000006 },
    ]);
    expect(floor.pushes(["Order"], ["orderId", "tradeId"])).toEqual([
      "Order I 100000005",
      "Order U 100000005 500000001",
      "Order U 100000005 500000002",
      "Order D 100000005",
      "Order I 100000006",
      "Order U 100000006 500000003",
      "Order D 100000006",
    ]);
    expect(floor.row("OpenPosition").currency).toBe("GBP/USD");
  });

  it("closes every symbol on request", () => {
    const floor = new TradingFloor();
    floor.price("EUR/USD", 1.1);
    floor.price("GBP/USD", 1.3);
    floor.trade();
    floor.trade({ symbol: "GBP/USD" });
    floor.trade({ account_id: hedgingId });
    const request = { account_id: accountId, forSymbol: false, symbol: "", ...atMarket };
    floor.ask("close_all_for_symbol", request);
    expect(floor.row("OpenPosition").accountId).toBe(hedgingId);
  });
});
