import { describe, expect, it } from "vitest";
import { hedgingId, TradingFloor } from "./trading-floor.ts";

describe("profit", () => {
  it("in yen converts to dollars at the instrument's own mid price", () => {
    const floor = new TradingFloor();
    floor.price("USD/JPY", 150, 150.01);
    floor.trade({ symbol: "USD/JPY", amount: 10 });
    floor.price("USD/JPY", 151, 151.02);
    // 10,000 dollars gain 0.99 yen each, converted at 151.01.
    expect(floor.row("OpenPosition")).toMatchObject({
      grossPL: 65.56,
      visiblePL: 99,
      currencyPoint: 0.66221,
      usedMargin: 330,
    });
  });

  it("in francs converts to dollars at the price of USD/CHF and follows it", () => {
    const floor = new TradingFloor();
    floor.price("USD/CHF", 0.88);
    floor.price("EUR/CHF", 0.95);
    floor.trade({ symbol: "EUR/CHF", is_buy: false, amount: 100 });
    floor.price("EUR/CHF", 0.94);
    expect(floor.row("OpenPosition").grossPL).toBe(1136.36);
    floor.pushes([]);
    floor.price("USD/CHF", 0.8);
    expect(floor.row("OpenPosition")).toMatchObject({ grossPL: 1250, currencyPoint: 12.5 });
    expect(floor.row("Account", "1537581").equity).toBe(11_250);
    const models = ["OpenPosition", "Summary", "Account"] as const;
    expect(floor.pushes(models, ["grossPL"])).toEqual([
      "OpenPosition U 1250",
      "Summary U 1250",
      "Account U 1250",
    ]);
  });

  it("is realised at the rates at closing", () => {
    const floor = new TradingFloor();
    floor.price("USD/CHF", 0.88);
    floor.price("EUR/CHF", 0.95);
    floor.trade({ symbol: "EUR/CHF", amount: 10 });
    floor.price("EUR/CHF", 0.96);
    floor.trade({ symbol: "EUR/CHF", amount: 10, is_buy: false });
    floor.price("USD/CHF", 0.8);
    expect(floor.row("ClosedPosition").grossPL).toBe(113.64);
    expect(floor.row("Account", "1537581").balance).toBe(10_113.64);
  });
});

describe("the Summary table", () => {
  it("sums a symbol's open positions over all accounts and drops the row with the last one", () => {
    const floor = new TradingFloor();
    floor.price("EUR/USD", 1.1, 1.1001);
    floor.trade({ amount: 10 });
    floor.price("EUR/USD", 1.102, 1.1021);
    floor.trade({ account_id: hedgingId, amount: 20 });
    floor.trade({ account_id: hedgingId, amount: 40, is_buy: false });
    expect(floor.row("Summary")).toEqual({
      t: 5,
      ratePrecision: 5,
      offerId: 1,
      currency: "EUR/USD",
      plSell: -4,
      amountKSell: 40,
      avgSell: 1.102,
      closeBuy: 1.1021,
      plBuy: 17,
      amountKBuy: 30,
      avgBuy: 1.10143,
      closeSell: 1.102,
      rollSum: 0,
      usedMargin: 2520,
      usedMarginSell: 1440,
      usedMarginBuy: 1080,
      isSellDisabled: false,
      isBuyDisabled: false,
      amountK: -10,
      currencyPoint: -1,
      grossPL: 13,
      netPL: 13,
      netStop: 0,
      netStopMove: 0,
      netLimit: 0,
    });
    const close = { symbol: "EUR/USD", order_type: "AtMarket", time_in_force: "GTC" } as const;
    for (const account_id of ["1537581", hedgingId]) {
      floor.ask("close_all_for_symbol", { account_id, forSymbol: true, ...close });
    }
    expect(floor.rows("Summary")).toEqual([]);
    expect(floor.pushes(["Summary"], ["offerId"]).at(-1)).toBe("Summary D 1");
  });
});

describe("the Offer table", () => {
  it("has every field of an instrument", () => {
    const floor = new TradingFloor();
    floor.price("EUR/USD", 1.1, 1.1001);
    floor.price("EUR/USD", 1.1002, 1.1003);
    expect(floor.row("Offer", "EUR/USD")).toEqual({
      t: 0,
      ratePrecision: 5,
      offerId: 1,
      rollB: -0.09,
      rollS: 0.04,
      fractionDigits: 5,
      pip: 0.0001,
      defaultSortOrder: 1,
      currency: "EUR/USD",
      instrumentType: 1,
      valueDate: "01142026",
      time: "01122026100002000",
      sell: 1.1002,
      buy: 1.1003,
      sellTradable: true,
      buyTradable: true,
      high: 1.1003,
      low: 1.1,
      volume: 2,
      pipFraction: 0.1,
      spread: 1,
      mmr: 36,
      emr: 36,
      lmr: 18,
      pipCost: 0.1,
    });
  });

  it("shows only visible instruments", () => {
    const floor = new TradingFloor();
    floor.price("EUR/USD", 1.1);
    floor.pushes([]);
    floor.ask("update_subscriptions", { symbol: "EUR/USD", visible: false });
    floor.ask("update_subscriptions", { symbol: "EUR/USD", visible: false });
    expect(floor.rows("Offer")).toHaveLength(7);
    floor.price("EUR/USD", 1.2);
    floor.ask("update_subscriptions", { symbol: "EUR/USD", visible: true });
    expect(floor.pushes(["Offer"], ["offerId", "sell"])).toEqual(["Offer D 1", "Offer I 1 1.2"]);
    expect(floor.refused("update_subscriptions", { symbol: "A/B", visible: true }).code).toBe(22);
  });

  it("shares its margins with the LeverageProfile table", () => {
    const floor = new TradingFloor();
    expect(floor.row("LeverageProfile", "EUR/USD")).toEqual({
      symbol: "EUR/USD",
      mmr: 36,
      emr: 36,
      lmr: 18,
    });
  });
});

describe("totals", () => {
  it("sum the summable fields and are marked as totals", () => {
    const floor = new TradingFloor();
    floor.price("EUR/USD", 1.1);
    floor.trade({ amount: 3 });
    floor.trade({ amount: 4, account_id: hedgingId });
    floor.price("EUR/USD", 1.1013);
    expect(floor.engine.totals("OpenPosition")).toEqual({
      t: 1,
      ratePrecision: 0,
      isTotal: true,
      roll: 0,
      com: 0,
      grossPL: 9.1,
      amountK: 7,
      usedMargin: 252,
      ...{ tradeId: "", orderId: "", accountName: "", accountId: "" },
      ...{ currency: "", valueDate: "", time: "" },
    });
    expect(floor.engine.totals("Account")).toMatchObject({ equity: 20_009.1, balance: 20_000 });
    expect(floor.engine.totals("Offer")).toBeNull();
  });
});

it("the table of closed positions is bounded: the oldest are dropped", () => {
  const floor = new TradingFloor({ limits: { closedPositions: 2 } });
  floor.price("EUR/USD", 1.1);
  for (let trade = 0; trade < 6; trade += 1) floor.trade({ is_buy: trade % 2 === 0 });
  const shown = floor.rows("ClosedPosition").map(({ tradeId }) => tradeId);
  expect(shown).toEqual(["500000002", "500000003"]);
  expect(floor.pushes(["ClosedPosition"], ["tradeId"])).toEqual([
    "ClosedPosition I 500000001",
    "ClosedPosition I 500000002",
    "ClosedPosition I 500000003",
    "ClosedPosition D 500000001",
  ]);
});
