import { describe, expect, it } from "vitest";
import { hedgingId, TradingFloor } from "./trading-floor.ts";

const all = ["Order", "OpenPosition", "ClosedPosition"] as const;

function floorWithTwoBuys(): TradingFloor {
  const floor = new TradingFloor();
  floor.price("EUR/USD", 1.1);
  floor.trade({ amount: 10 });
  floor.trade({ amount: 20 });
  floor.pushes([]);
  return floor;
}

describe("an order on a netting account", () => {
  it("closes the oldest opposite trades first and carries their ids in its updates", () => {
    const floor = floorWithTwoBuys();
    const orderId = floor.trade({ is_buy: false, amount: 30 });
    expect(floor.pushes(all, ["tradeId", "amountK"])).toEqual([
      "Order I 500000001 30",
      "Order U 500000001",
      "Order U 500000002",
      "Order D",
      "ClosedPosition I 500000001 10",
      "OpenPosition D 500000001",
      "ClosedPosition I 500000002 20",
      "OpenPosition D 500000002",
    ]);
    expect(floor.rows("OpenPosition")).toEqual([]);
    expect(floor.rows("ClosedPosition").map((row) => row.orderId)).not.toContain(orderId);
  });

  it("opens the remainder", () => {
    const floor = floorWithTwoBuys();
    const orderId = floor.trade({ is_buy: false, amount: 45 });
    expect(floor.row("OpenPosition")).toMatchObject({
      orderId,
      tradeId: "500000003",
      isBuy: false,
      amountK: 15,
    });
  });

  it("closes a part of a trade; the trade keeps its id and the part gets its own", () => {
    const floor = floorWithTwoBuys();
    floor.trade({ is_buy: false, amount: 14 });
    expect(floor.pushes(all, ["tradeId", "amountK"])).toEqual([
      "Order I 500000001 14",
      "Order U 500000001",
      "Order U 500000002",
      "Order D",
      "ClosedPosition I 500000001 10",
      "OpenPosition D 500000001",
      "ClosedPosition I 500000003 4",
      "OpenPosition U 500000002 16",
    ]);
    const [, part] = floor.rows("ClosedPosition");
    expect(part?.orderId).toBe(floor.row("OpenPosition").orderId);
  });

  it("leaves trades of other symbols and accounts alone", () => {
    const floor = floorWithTwoBuys();
    floor.price("GBP/USD", 1.3);
    floor.trade({ account_id: hedgingId, is_buy: false });
    floor.trade({ symbol: "GBP/USD", is_buy: false });
    expect(floor.rows("OpenPosition")).toHaveLength(4);
    expect(floor.rows("ClosedPosition")).toEqual([]);
  });

  it("can close more than the margin would allow it to open", () => {
    const floor = new TradingFloor();
    floor.price("EUR/USD", 1.1);
    floor.trade({ amount: 270 });
    expect(floor.refused("open_trade", { ...order, amount: 10 }).code).toBe(26);
    floor.trade({ is_buy: false, amount: 540 });
    expect(floor.row("OpenPosition")).toMatchObject({ isBuy: false, amountK: 270 });
  });
});

describe("an order on a hedging account", () => {
  it("leaves opposite trades open", () => {
    const floor = new TradingFloor();
    floor.price("EUR/USD", 1.1);
    floor.trade({ account_id: hedgingId, is_buy: true });
    floor.trade({ account_id: hedgingId, is_buy: false });
    expect(floor.rows("OpenPosition").map(({ isBuy }) => isBuy)).toEqual([true, false]);
    const hedging = floor.rows("Account").map((account) => account.hedging);
    expect(hedging).toEqual(["N", "Y"]);
  });
});

const order = {
  account_id: "1537581",
  symbol: "EUR/USD",
  is_buy: true,
  order_type: "AtMarket",
  time_in_force: "GTC",
} as const;
