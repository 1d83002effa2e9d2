import { describe, expect, it } from "vitest";
import { dayMs, entryOrder, monday, TradingFloor } from "./trading-floor.ts";

function floorAt(bid: number, ask: number, options = {}): TradingFloor {
  const floor = new TradingFloor(options);
  floor.price("EUR/USD", bid, ask);
  floor.pushes([]);
  return floor;
}

describe("an entry order", () => {
  it.each([
    { is_buy: true, rate: 1.1005, type: "SE" },
    { is_buy: true, rate: 1.0995, type: "LE" },
    { is_buy: true, rate: 1.1001, type: "LE" },
    { is_buy: false, rate: 1.0995, type: "SE" },
    { is_buy: false, rate: 1.1005, type: "LE" },
    { is_buy: false, rate: 1.1, type: "LE" },
  ])("at $rate (buy: $is_buy) is $type with the market at 1.1 and 1.1001", (order) => {
    const floor = floorAt(1.1, 1.1001);
    floor.entry(order);
    expect(floor.row("Order")).toMatchObject({
      type: order.type,
      status: 1,
      isEntryOrder: true,
      isStopOrder: order.type === "SE",
      isLimitOrder: order.type === "LE",
      buy: order.is_buy ? order.rate : 0,
      sell: order.is_buy ? 0 : order.rate,
    });
    expect(floor.row("Order").tradeId).toBeUndefined();
  });

  it("waits until the market reaches its rate, then opens a trade", () => {
    const floor = floorAt(1.1, 1.1001);
    const orderId = floor.entry({ rate: 1.0995 });
    floor.price("EUR/USD", 1.0995, 1.0996);
    expect(floor.rows("OpenPosition")).toEqual([]);
    floor.price("EUR/USD", 1.0993, 1.0994);
    expect(floor.pushes(["Order", "OpenPosition"], ["tradeId", "status"])).toEqual([
      "Order I 1",
      "Order U 500000001 6",
      "Order D 9",
      "OpenPosition I 500000001",
    ]);
    expect(floor.row("OpenPosition")).toMatchObject({ orderId, open: 1.0994 });
  });

  it("of type stop fills at the market, however far that has jumped", () => {
    const floor = floorAt(1.1, 1.1001);
    floor.entry({ is_buy: false, rate: 1.099 });
    floor.price("EUR/USD", 1.08, 1.0801);
    expect(floor.row("OpenPosition").open).toBe(1.08);
  });

  it("with a range does not fill outside it", () => {
    const floor = floorAt(1.1, 1.1001);
    const order_id = floor.entry({ is_buy: false, rate: 1.099 });
    floor.ask("change_order", { order_id, range: 5 });
    expect(floor.row("Order").range).toBe(5);
    floor.price("EUR/USD", 1.0984, 1.0985);
    expect(floor.rows("OpenPosition")).toEqual([]);
    floor.price("EUR/USD", 1.0986, 1.0987);
    expect(floor.row("OpenPosition").open).toBe(1.0986);
  });

  it("of type limit fills no worse than its rate, level by level, and waits for the rest", () => {
    const instrument = { liquidity: { amount: 10, step: 1, recovery_ms: 0 } };
    const floor = floorAt(1.1, 1.1001, { instrument });
    const orderId = floor.entry({ rate: 1.0995, amount: 50 });
    floor.price("EUR/USD", 1.0992, 1.0993);
    expect(floor.rows("OpenPosition").map(({ open }) => open)).toEqual([1.0993, 1.0994, 1.0995]);
    expect(floor.row("Order")).toMatchObject({ orderId, status: 1, amountK: 20, type: "LE" });
    floor.price("EUR/USD", 1.0996, 1.0997);
    expect(floor.rows("OpenPosition")).toHaveLength(3);
    floor.price("EUR/USD", 1.0994, 1.0995);
    expect(floor.rows("OpenPosition")).toHaveLength(4);
    expect(floor.row("Order").amountK).toBe(10);
  });

  it("gives its position the stop and limit; pips count from the fill", () => {
    const floor = floorAt(1.1, 1.1001);
    floor.entry({ rate: 1.0995, stop: -10, limit: 20, is_in_pips: true });
    expect(floor.row("Order")).toMatchObject({
      isELSOrder: true,
      stop: 1.0985,
      stopRate: 1.0985,
      limit: 1.1015,
      limitRate: 1.1015,
      stopPegBaseType: 1,
      limitPegBaseType: 1,
    });
    floor.price("EUR/USD", 1.0989, 1.099);
    expect(floor.row("OpenPosition")).toMatchObject({ open: 1.099, stop: 1.098, limit: 1.101 });
  });

  it("is canceled if the margin is insufficient when its rate is reached", () => {
    const floor = floorAt(1.1, 1.1001);
    floor.entry({ rate: 1.0995, amount: 1000 });
    floor.price("EUR/USD", 1.0993, 1.0994);
    expect(floor.pushes(["Order"], ["status"])).toEqual(["Order I 1", "Order D 3"]);
  });

  it("expires before any price of that time", () => {
    const floor = floorAt(1.1, 1.1001);
    const expiration = "2026-01-12 10:00:03";
    floor.entry({ rate: 1.0995, time_in_force: "GTD", expiration });
    expect(floor.row("Order")).toMatchObject({
      timeInForce: "GTD",
      expireDate: "01122026100003000",
    });
    floor.price("EUR/USD", 1.0996, 1.0997);
    expect(floor.rows("Order")).toHaveLength(1);
    floor.price("EUR/USD", 1.0993, 1.0994);
    expect(floor.rows("OpenPosition")).toEqual([]);
    expect(floor.pushes(["Order"], ["status"])).toEqual(["Order I 1", "Order D 3"]);
  });

  it("of DAY ends with the trading day, at 5 PM in New York", () => {
    const floor = floorAt(1.1, 1.1001);
    floor.entry({ rate: 1.0995, time_in_force: "DAY" });
    floor.now = Date.parse("2026-01-12T21:59:59Z");
    expect(floor.rows("Order")).toHaveLength(1);
    floor.now = Date.parse("2026-01-12T22:00:00Z");
    expect(floor.rows("Order")).toEqual([]);
  });

  it.each([
    ["2026-01-20 12:30", "01202026123000000"],
    ["2026-01-20T12:30:15Z", "01202026123015000"],
    ["2026-01-20T12:30:15+02:00", "01202026103015000"],
    ["01202026123000000", "01202026123000000"],
    ["2026-01-20", "01192026220000000"],
  ])("reads the expiration %s as %s", (expiration, expireDate) => {
    const floor = floorAt(1.1, 1.1001);
    floor.entry({ rate: 1.0995, time_in_force: "GTD", expiration });
    expect(floor.row("Order").expireDate).toBe(expireDate);
  });

  it("of RangeEntry fills only within its range, however far the market jumps", () => {
    const floor = floorAt(1.1, 1.1001);
    floor.entry({ rate: 1.101, order_type: "RangeEntry", range: 3, time_in_force: "GTC" });
    expect(floor.row("Order")).toMatchObject({ type: "SE", range: 3 });
    floor.price("EUR/USD", 1.1014, 1.1015);
    expect(floor.rows("OpenPosition")).toEqual([]);
    floor.price("EUR/USD", 1.1012, 1.1013);
    expect(floor.row("OpenPosition").open).toBe(1.1013);
  });

  it("has a range if and only if it is a RangeEntry", () => {
    const floor = floorAt(1.1, 1.1001);
    const order = { ...entryOrder, rate: 1.101 };
    const codes = [
      floor.refused("create_entry_order", { ...order, order_type: "RangeEntry" }),
      floor.refused("create_entry_order", { ...order, range: 3 }),
      floor.refused("create_entry_order", { ...order, order_type: "RangeEntry", range: -1 }),
    ].map(({ code, parameters }) => [code, parameters[0]]);
    expect(codes).toEqual(Array(3).fill([28, "range"]));
    expect(floor.rows("Order")).toEqual([]);
  });

  it("can be changed and deleted while waiting", () => {
    const floor = floorAt(1.1, 1.1001);
    const order_id = floor.entry({ rate: 1.0995 });
    floor.pushes([]);
    floor.ask("change_order", { order_id, rate: 1.1005, amount: 25 });
    expect(floor.pushes(["Order"], ["buy", "type", "amountK", "currencyPoint"])).toEqual([
      "Order U 1.1005 SE 25 2.5",
    ]);
    floor.ask("change_order", { order_id, rate: 0, amount: 0 });
    expect(floor.row("Order")).toMatchObject({ buy: 1.1005, amountK: 25 });
    floor.ask("change_order_stop_limit", {
      order_id,
      stop: -5,
      is_stop_in_pips: true,
      limit: 1.12,
      is_limit_in_pips: false,
    });
    expect(floor.row("Order")).toMatchObject({ stop: 1.1, limit: 1.12, isELSOrder: true });
    floor.ask("change_order_stop_limit", { order_id, stop: 0 });
    expect(floor.row("Order")).toMatchObject({ stop: 0, limit: 1.12 });
    floor.pushes([]);
    floor.ask("delete_order", { order_id });
    expect(floor.pushes(["Order"], ["status"])).toEqual(["Order D 3"]);
    floor.price("EUR/USD", 1.1005, 1.1006);
    expect(floor.rows("OpenPosition")).toEqual([]);
  });

  it("of GTC waits for years", () => {
    const floor = floorAt(1.1, 1.1001);
    floor.entry({ rate: 1.0995 });
    floor.now = monday + 400 * dayMs;
    expect(floor.rows("Order")).toHaveLength(1);
  });
});
