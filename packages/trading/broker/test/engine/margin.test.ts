import { describe, expect, it } from "vitest";
import { accountId, type FloorOptions, hedgingId, monday, TradingFloor } from "./trading-floor.ts";

/** Margins per thousand: 36 maintenance, 36 entry, 18 liquidation. */
const balance = 1000;

function floorWith(options: FloorOptions = {}): TradingFloor {
  const accounts = [
    { account_id: accountId, balance },
    { account_id: hedgingId, balance, hedging: true },
  ];
  const floor = new TradingFloor({ accounts, ...options });
  floor.price("EUR/USD", 1.1);
  floor.price("GBP/USD", 1.3);
  return floor;
}

const order = {
  account_id: accountId,
  symbol: "EUR/USD",
  is_buy: true,
  order_type: "AtMarket",
  time_in_force: "GTC",
} as const;

describe("margin", () => {
  it("is used by positions and shown on the account", () => {
    const floor = floorWith();
    floor.trade({ amount: 10 });
    floor.price("EUR/USD", 1.11);
    expect(floor.row("OpenPosition").usedMargin).toBe(360);
    expect(floor.row("Account", accountId)).toMatchObject({
      balance: 1000,
      grossPL: 100,
      equity: 1100,
      dayPL: 100,
      usdMr: 360,
      usdMr3: 180,
      usableMargin: 740,
      usableMargin3: 920,
      usableMarginPerc: 67.27273,
      usableMargin3Perc: 83.63636,
      mc: "N",
      mcDate: "",
    });
  });

  it("refuses an order that exceeds it and says how much is needed", () => {
    const floor = floorWith();
    const refusal = floor.refused("open_trade", { ...order, amount: 28 });
    expect(refusal).toMatchObject({ code: 26, parameters: ["1008.00", "1000.00"] });
    floor.trade({ amount: 27 });
    expect(floor.refused("open_trade", { ...order, amount: 1 }).code).toBe(26);
  });

  it("counts both sides on a hedging account", () => {
    const floor = floorWith();
    floor.trade({ account_id: hedgingId, amount: 10 });
    floor.trade({ account_id: hedgingId, amount: 10, is_buy: false });
    expect(floor.row("Account", hedgingId).usdMr).toBe(720);
  });
});

describe("an account that loses", () => {
  it("is warned below its maintenance margin and can only close", () => {
    const floor = floorWith();
    floor.trade({ amount: 20 });
    floor.price("EUR/USD", 1.0859);
    expect(floor.row("Account", accountId)).toMatchObject({ mc: "W", mcDate: "01122026100003000" });
    const refusal = floor.refused("open_trade", { ...order, amount: 1 });
    expect(refusal).toMatchObject({ code: 30, parameters: [accountId, "W"] });
    floor.trade({ is_buy: false, amount: 5 });
    expect(floor.row("OpenPosition").amountK).toBe(15);
    expect(floor.row("Account", accountId)).toMatchObject({ mc: "N", mcDate: "" });
  });

  it("is liquidated below its liquidation margin, with one margin call per symbol and side", () => {
    const floor = floorWith();
    floor.trade({ amount: 10, stop: 1.05 });
    floor.trade({ amount: 10 });
    floor.trade({ symbol: "GBP/USD", amount: 4 });
    floor.entry({ rate: 1.01 });
    floor.pushes([]);
    floor.price("EUR/USD", 1.071);
    const pushed = floor.pushes(["Order", "ClosedPosition"], ["type", "tradeId", "status"]);
    expect(pushed).toEqual([
      "Order I M 5",
      "Order U 500000001 5",
      "Order U 500000002 5",
      "Order D 9",
      "ClosedPosition I 500000001",
      "Order D 3",
      "ClosedPosition I 500000002",
      "Order I M 5",
      "Order U 500000003 5",
      "Order D 9",
      "ClosedPosition I 500000003",
    ]);
    expect(floor.rows("OpenPosition")).toEqual([]);
    expect(floor.row("Order").type).toBe("LE");
    expect(floor.row("Account", accountId)).toMatchObject({
      mc: "Y",
      balance: 420,
      equity: 420,
      grossPL: 0,
      usdMr: 0,
    });
    expect(floor.refused("open_trade", { ...order, amount: 1 }).code).toBe(30);
  });

  it("can open again on the next trading day", () => {
    const floor = floorWith();
    floor.trade({ amount: 20 });
    floor.price("EUR/USD", 1.067);
    expect(floor.row("Account", accountId)).toMatchObject({ mc: "Y", balance: 340 });
    floor.now = monday + 24 * 3_600_000;
    expect(floor.row("Account", accountId)).toMatchObject({ mc: "N", mcDate: "", dayPL: 0 });
    floor.trade({ amount: 1 });
  });

  it("is closed out at its equity stop", () => {
    const accounts = [{ account_id: accountId, balance, equity_stop: 900 }];
    const floor = floorWith({ accounts });
    floor.trade({ amount: 10 });
    floor.price("EUR/USD", 1.0901);
    expect(floor.rows("OpenPosition")).toHaveLength(1);
    floor.pushes([]);
    floor.price("EUR/USD", 1.09);
    expect(floor.pushes(["Order"], ["type", "status"])).toEqual([
      ...["Order I M 8", "Order U 8", "Order D 9"],
    ]);
    expect(floor.row("Account")).toMatchObject({ mc: "Q", equity: 900 });
    floor.now = monday + 24 * 3_600_000;
    const refusal = floor.refused("open_trade", { ...order, amount: 1 });
    expect(refusal).toMatchObject({ code: 30, parameters: [accountId, "Q"] });
  });

  it("is liquidated over several prices in a shallow market", () => {
    const floor = floorWith({
      instrument: { liquidity: { amount: 8, levels: 1, recovery_ms: 0 } },
    });
    floor.trade({ amount: 8 });
    floor.trade({ amount: 8 });
    floor.trade({ amount: 4 });
    floor.price("EUR/USD", 1.067);
    expect(floor.row("Order")).toMatchObject({ type: "M", status: 5, amountK: 12 });
    expect(floor.refused("delete_order", { order_id: floor.row("Order").orderId }).code).toBe(29);
    floor.price("EUR/USD", 1.066);
    floor.price("EUR/USD", 1.066);
    expect(floor.rows("OpenPosition")).toEqual([]);
    expect(floor.rows("Order")).toEqual([]);
  });
});
