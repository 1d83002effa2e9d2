import { describe, expect, it } from "vitest";
import { accountId, TradingFloor } from "./trading-floor.ts";

function floorWithTrade(is_buy: boolean): TradingFloor {
  const floor = new TradingFloor();
  floor.price("EUR/USD", 1.1, 1.1001);
  floor.trade({ is_buy });
  floor.pushes([]);
  return floor;
}

const trade_id = "500000001";
const stopTo = (rate: number) => ({ trade_id, is_stop: true, rate });
const limitTo = (rate: number) => ({ trade_id, is_stop: false, rate });

describe("the stop of a position", () => {
  it.each([
    { is_buy: true, stop: 1.099, kept: 1.0991, hit: 1.0988 },
    { is_buy: false, stop: 1.102, kept: 1.1017, hit: 1.1025 },
  ])("closes it at the market once reached (bought: $is_buy)", (example) => {
    const floor = floorWithTrade(example.is_buy);
    floor.ask("change_trade_stop_limit", stopTo(example.stop));
    floor.price("EUR/USD", example.kept, example.kept + 0.0001);
    expect(floor.rows("OpenPosition")).toHaveLength(1);
    floor.pushes([]);
    floor.price("EUR/USD", example.hit, example.hit + 0.0001);
    const pushed = floor.pushes(["Order", "ClosedPosition", "OpenPosition"], ["tradeId", "status"]);
    expect(pushed).toEqual([
      "Order U 500000001 6",
      "Order D 9",
      "ClosedPosition I 500000001",
      "OpenPosition D 500000001",
    ]);
    const close = example.is_buy ? example.hit : example.hit + 0.0001;
    expect(floor.row("ClosedPosition").close).toBeCloseTo(close, 9);
  });

  it("is an order that can be changed and deleted", () => {
    const floor = floorWithTrade(true);
    floor.ask("change_trade_stop_limit", stopTo(1.09));
    const { orderId } = floor.row("Order");
    floor.ask("change_order", { order_id: orderId, rate: 1.095 });
    expect(floor.row("OpenPosition").stop).toBe(1.095);
    floor.ask("change_trade_stop_limit", stopTo(1.096));
    expect(floor.row("Order")).toMatchObject({ orderId, sell: 1.096 });
    floor.ask("delete_order", { order_id: orderId });
    expect(floor.row("OpenPosition").stop).toBe(0);
    expect(floor.rows("Order")).toEqual([]);
  });

  it("is deleted by rate 0", () => {
    const floor = floorWithTrade(true);
    floor.ask("change_trade_stop_limit", stopTo(1.09));
    floor.ask("change_trade_stop_limit", stopTo(0));
    floor.ask("change_trade_stop_limit", stopTo(0));
    expect(floor.row("OpenPosition").stop).toBe(0);
  });

  it("can be given in pips from the opening rate", () => {
    const floor = floorWithTrade(false);
    floor.ask("change_trade_stop_limit", { ...stopTo(15), is_in_pips: true });
    floor.ask("change_trade_stop_limit", { ...limitTo(-25.5), is_in_pips: true });
    expect(floor.row("OpenPosition")).toMatchObject({ stop: 1.1015, limit: 1.09745 });
  });
});

describe("the limit of a position", () => {
  it.each([
    { is_buy: true, limit: 1.101, kept: 1.1009, hit: 1.1013 },
    { is_buy: false, limit: 1.099, kept: 1.099, hit: 1.0986 },
  ])("closes it no worse than its rate (bought: $is_buy)", ({ is_buy, limit, kept, hit }) => {
    const floor = floorWithTrade(is_buy);
    floor.ask("change_trade_stop_limit", limitTo(limit));
    floor.price("EUR/USD", kept, kept + 0.0001);
    expect(floor.rows("OpenPosition")).toHaveLength(1);
    floor.price("EUR/USD", hit, hit + 0.0001);
    const close = is_buy ? hit : hit + 0.0001;
    expect(floor.row("ClosedPosition").close).toBeCloseTo(close, 9);
    expect(floor.rows("Order")).toEqual([]);
  });

  it("cancels the stop when it executes", () => {
    const floor = floorWithTrade(true);
    floor.ask("change_trade_stop_limit", stopTo(1.09));
    floor.ask("change_trade_stop_limit", limitTo(1.11));
    floor.pushes([]);
    floor.price("EUR/USD", 1.111, 1.1111);
    expect(floor.pushes(["Order"], ["orderId", "status"])).toEqual([
      "Order U 100000003 6",
      "Order D 100000003 9",
      "Order D 100000002 3",
    ]);
  });

  it("fills what it can in a shallow market and waits for the rest", () => {
    const instrument = { liquidity: { amount: 4, step: 1, recovery_ms: 0 } };
    const floor = new TradingFloor({ instrument });
    floor.price("EUR/USD", 1.1, 1.1001);
    floor.trade({ amount: 4, limit: 1.11 });
    floor.trade({ amount: 4, limit: 1.11 });
    floor.ask("close_trade", {
      trade_id,
      amount: 1,
      order_type: "AtMarket",
      time_in_force: "GTC",
    });
    floor.price("EUR/USD", 1.11, 1.1101);
    expect(floor.rows("OpenPosition")).toEqual([]);
    expect(floor.row("Account", accountId).grossPL).toBe(0);
  });
});

describe("the distance of stops and limits", () => {
  const distant = { instrument: { stop_distance: 5, limit_distance: 3 } };

  it.each([
    { is_buy: true, stop: 1.1, code: 18 },
    { is_buy: true, stop: 1.2, code: 18 },
    { is_buy: true, stop: 1.0996, code: 18 },
    { is_buy: true, limit: 1.1, code: 19 },
    { is_buy: true, limit: 1.1002, code: 19 },
    { is_buy: false, stop: 1.1005, code: 18 },
    { is_buy: false, limit: 1.0999, code: 19 },
    { is_buy: true, stop: 10, is_in_pips: true, code: 18 },
    { is_buy: true, limit: -10, is_in_pips: true, code: 19 },
    { is_buy: false, stop: -10, is_in_pips: true, code: 18 },
  ])("refuses stop $stop, limit $limit (bought: $is_buy) with code $code", ({ code, ...order }) => {
    const floor = new TradingFloor(distant);
    floor.price("EUR/USD", 1.1, 1.1001);
    const market = { account_id: accountId, symbol: "EUR/USD", amount: 1 };
    const terms = { order_type: "AtMarket", time_in_force: "GTC" } as const;
    expect(floor.refused("open_trade", { ...market, ...terms, ...order }).code).toBe(code);
  });

  it("accepts the least distance", () => {
    const floor = new TradingFloor(distant);
    floor.price("EUR/USD", 1.1, 1.1001);
    floor.trade({ stop: 1.0995, limit: 1.1003 });
    expect(floor.row("OpenPosition")).toMatchObject({ stop: 1.0995, limit: 1.1003 });
  });

  it("counts from an entry order's rate, even after that changes", () => {
    const floor = new TradingFloor(distant);
    floor.price("EUR/USD", 1.1, 1.1001);
    const order_id = floor.entry({ rate: 1.09, stop: 1.0895, limit: 1.0903 });
    const entry = { account_id: accountId, symbol: "EUR/USD", amount: 1, is_buy: true };
    const time = { time_in_force: "GTC" } as const;
    const refused = floor.refused("create_entry_order", {
      ...entry,
      ...time,
      rate: 1.09,
      stop: 1.0896,
    });
    expect(refused.code).toBe(18);
    expect(floor.refused("change_order", { order_id, rate: 1.08 }).code).toBe(18);
    expect(floor.refused("change_order", { order_id, rate: 1.0901 }).code).toBe(19);
    expect(floor.row("Order").buy).toBe(1.09);
  });
});
