import { describe, expect, it } from "vitest";
import { accountId, hedgingId, TradingFloor } from "./trading-floor.ts";

function floorAt(bid: number, ask: number): TradingFloor {
  const floor = new TradingFloor();
  floor.price("EUR/USD", bid, ask);
  return floor;
}

const breakout = {
  account_id: accountId,
  symbol: "EUR/USD",
  amount: 10,
  time_in_force: "GTC",
  is_buy: true,
  rate: 1.102,
  is_buy2: false,
  rate2: 1.098,
} as const;

const groups = (floor: TradingFloor) => floor.rows("Order").map(({ ocoBulkId }) => ocoBulkId);

describe("an OCO group", () => {
  it("of two is placed at once; the first to execute cancels the other", () => {
    const floor = floorAt(1.1, 1.1001);
    const data = floor.ask("simple_oco", {
      ...breakout,
      is_in_pips: true,
      stop: -10,
      stop2: 10,
      limit2: -20,
    });
    expect(data).toEqual([
      { type: 0, orderId: 100000001, ocoBulkId: 1 },
      { type: 0, orderId: 100000002, ocoBulkId: 1 },
    ]);
    floor.pushes([]);
    floor.price("EUR/USD", 1.0979, 1.098);
    expect(floor.pushes(["Order"], ["orderId", "status"])).toEqual([
      "Order U 100000002 6",
      "Order D 100000002 9",
      "Order D 100000001 3",
      "Order I 100000003 1",
      "Order I 100000004 1",
    ]);
    expect(floor.row("OpenPosition")).toMatchObject({ isBuy: false, stop: 1.0989, limit: 1.0959 });
  });

  it("leaves nothing behind when its second order is refused", () => {
    const floor = floorAt(1.1, 1.1001);
    const refusal = floor.refused("simple_oco", { ...breakout, trailing_stop_step2: 5 });
    expect(refusal.code).toBe(20);
    expect(floor.rows("Order")).toEqual([]);
  });

  it("is formed from existing orders, and grows and shrinks", () => {
    const floor = floorAt(1.1, 1.1001);
    const [a = "", b = "", c = ""] = [1.09, 1.08, 1.07].map((rate) => floor.entry({ rate }));
    expect(floor.ask("add_to_oco", { orderIds: [a, b], ocoBulkId: 0 })).toMatchObject([
      { ocoBulkId: 1 },
      { ocoBulkId: 1 },
    ]);
    expect(groups(floor)).toEqual([1, 1, 0]);
    floor.ask("add_to_oco", { orderIds: [c], ocoBulkId: 1 });
    expect(groups(floor)).toEqual([1, 1, 1]);
    floor.ask("remove_from_oco", { orderIds: [a] });
    expect(groups(floor)).toEqual([0, 1, 1]);
    floor.ask("edit_oco", { ocoBulkId: 1, addOrderIds: [a], removeOrderIds: [b] });
    expect(groups(floor)).toEqual([1, 0, 1]);
    floor.price("EUR/USD", 1.0899, 1.09);
    expect(floor.row("Order").orderId).toBe(b);
  });

  it("survives the deletion of an order", () => {
    const floor = floorAt(1.1, 1.1001);
    floor.ask("simple_oco", breakout);
    floor.ask("delete_order", { order_id: "100000001" });
    expect(floor.row("Order")).toMatchObject({ orderId: "100000002", ocoBulkId: 1 });
  });

  it("has a row with its remaining orders", () => {
    const floor = floorAt(1.1, 1.1001);
    floor.ask("simple_oco", breakout);
    const third = floor.entry({ rate: 1.09 });
    floor.ask("edit_oco", { ocoBulkId: 1, addOrderIds: [third], removeOrderIds: ["100000001"] });
    expect(floor.rows("OCO")).toEqual([
      { t: 4, ocoBulkId: 1, accountId, orderIds: ["100000002", third] },
    ]);
    floor.ask("delete_order", { order_id: "100000002" });
    floor.price("EUR/USD", 1.0899, 1.09);
    expect(floor.rows("OCO")).toEqual([]);
    expect(floor.pushes(["OCO"], ["ocoBulkId", "orderIds"])).toEqual([
      "OCO I 1 100000001,100000002",
      `OCO U 1 100000002,${third}`,
      `OCO U 1 ${third}`,
      "OCO D 1",
    ]);
  });

  it("accepts only entry orders of one account", () => {
    const floor = floorAt(1.1, 1.1001);
    const own = floor.entry({ rate: 1.09 });
    const other = floor.entry({ rate: 1.09, account_id: hedgingId });
    floor.trade({ stop: 1.08 });
    const stop = floor.rows("Order").find(({ type }) => type === "S")?.orderId ?? "";
    const codes = [
      floor.refused("add_to_oco", { orderIds: [own, other], ocoBulkId: 0 }),
      floor.refused("add_to_oco", { orderIds: [own, stop], ocoBulkId: 0 }),
      floor.refused("add_to_oco", { orderIds: [own], ocoBulkId: 7 }),
      floor.refused("remove_from_oco", { orderIds: [own] }),
      floor.refused("edit_oco", { ocoBulkId: 7, addOrderIds: [own], removeOrderIds: [] }),
      floor.refused("add_to_oco", { orderIds: [own, "1"], ocoBulkId: 0 }),
      floor.refused("add_to_oco", { orderIds: [], ocoBulkId: 0 }),
    ].map(({ code }) => code);
    expect(codes).toEqual([31, 31, 31, 31, 31, 23, 28]);
    expect(groups(floor)).toEqual([0, 0, 0]);
  });
});
