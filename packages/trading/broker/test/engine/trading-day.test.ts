import { forexHoursConfig } from "@proj/trading-client";
import { describe, expect, it } from "vitest";
import {
  accountId,
  dayMs,
  entryOrder,
  marketOrder,
  monday,
  secondMs,
  TradingFloor,
} from "./trading-floor.ts";

/** 5 PM in New York on a day of this week; 0 is Monday. */
const dayEnd = (day: number) => Date.parse("2026-01-12T22:00:00Z") + day * dayMs;

function floorAt(options = {}): TradingFloor {
  const floor = new TradingFloor(options);
  floor.price("EUR/USD", 1.1);
  return floor;
}

describe("the end of a trading day", () => {
  it("pays each position's swap: three on Wednesday, none at the weekend", () => {
    const floor = floorAt({ instrument: { roll_buy: -0.09, roll_sell: 0.04 } });
    floor.trade({ amount: 10 });
    const rolls = [0, 1, 2, 3, 4, 5, 6, 7].map((day) => {
      floor.now = dayEnd(day);
      return floor.row("OpenPosition").roll;
    });
    expect(rolls).toEqual([-0.9, -1.8, -4.5, -5.4, -6.3, -6.3, -6.3, -7.2]);
    expect(floor.row("Account", accountId)).toMatchObject({ balance: 9992.8, grossPL: 0 });
    expect(floor.row("Summary")).toMatchObject({ rollSum: -7.2, grossPL: 0, netPL: -7.2 });
  });

  it("pays sold positions the other swap, and three on Thursday for one-day settlement", () => {
    const floor = new TradingFloor({ instrument: { roll_buy: -0.09, roll_sell: 0.04 } });
    floor.price("USD/CAD", 1.35);
    floor.trade({ symbol: "USD/CAD", is_buy: false, amount: 10 });
    const rolls = [0, 1, 2, 3, 4].map((day) => {
      floor.now = dayEnd(day);
      return floor.row("OpenPosition").roll;
    });
    expect(rolls).toEqual([0.4, 0.8, 1.2, 2.4, 2.8]);
  });

  it("moves the value date to two business days ahead", () => {
    const floor = floorAt();
    floor.trade();
    const dates = [0, 1, 2, 3, 4, 5, 6].map((day) => {
      floor.now = dayEnd(day) - secondMs;
      return floor.row("OpenPosition").valueDate;
    });
    const written = ["01142026", "01152026", "01162026", "01192026", "01202026", "01212026"];
    expect(dates).toEqual([...written, "01212026"]);
    expect(floor.row("Offer", "EUR/USD").valueDate).toBe("01212026");
    expect(floor.row("Offer", "USD/CAD").valueDate).toBe("01202026");
  });

  it("resets the day's profit, the closed positions, and high and low", () => {
    const floor = floorAt();
    floor.trade({ amount: 10 });
    floor.price("EUR/USD", 1.12);
    floor.trade({ amount: 5, is_buy: false });
    floor.price("EUR/USD", 1.11);
    expect(floor.row("Account", accountId)).toMatchObject({ dayPL: 150, balance: 10_100 });
    expect(floor.row("Offer", "EUR/USD")).toMatchObject({ high: 1.12, low: 1.1 });
    floor.pushes([]);
    floor.now = dayEnd(0);
    expect(floor.pushes(["ClosedPosition"], ["tradeId"])).toEqual(["ClosedPosition D 500000002"]);
    expect(floor.row("Offer", "EUR/USD")).toMatchObject({ high: 1.11, low: 1.11 });
    expect(floor.row("Account", accountId).dayPL).toBe(0);
    floor.price("EUR/USD", 1.1);
    expect(floor.row("Account", accountId).dayPL).toBe(-50);
  });

  it("comes at a different UTC time in summer", () => {
    const floor = new TradingFloor({ now: Date.parse("2026-07-06T10:00:00Z") });
    floor.price("EUR/USD", 1.1);
    floor.trade();
    floor.now = Date.parse("2026-07-06T20:59:59Z");
    expect(floor.row("OpenPosition").roll).toBe(0);
    floor.now = Date.parse("2026-07-06T21:00:00Z");
    expect(floor.row("OpenPosition").roll).not.toBe(0);
  });
});

describe("a closed market", () => {
  const saturday = monday + 5 * dayMs;
  const atHours = { hours: { 1: forexHoursConfig } };

  function floorOnSaturday(): TradingFloor {
    const floor = floorAt(atHours);
    floor.trade({ stop: 1.09, limit: 1.2 });
    floor.entry({ rate: 1.095 });
    floor.now = saturday;
    return floor;
  }

  it("refuses to open or close, but accepts entry orders, stops and deletions", () => {
    const floor = floorOnSaturday();
    const close = { order_type: "AtMarket", time_in_force: "GTC" } as const;
    const refusal = floor.refused("open_trade", marketOrder);
    expect(refusal).toMatchObject({ code: 25, parameters: ["EUR/USD"] });
    expect(floor.refused("close_trade", { trade_id: "500000001", ...close }).code).toBe(25);
    const order_id = floor.entry({ ...entryOrder, rate: 1.05 });
    floor.ask("delete_order", { order_id });
    floor.ask("change_trade_stop_limit", { trade_id: "500000001", is_stop: true, rate: 1.08 });
  });

  it("revalues at a price, but neither fills nor liquidates", () => {
    const floor = floorOnSaturday();
    floor.price("EUR/USD", 1.05);
    expect(floor.row("OpenPosition")).toMatchObject({ close: 1.05, grossPL: -500 });
    expect(floor.rows("Order")).toHaveLength(3);
  });

  it("is shown in the tables from closing to opening", () => {
    const floor = floorOnSaturday();
    expect(floor.row("OpenPosition").isDisabled).toBe(true);
    expect(floor.row("Offer", "EUR/USD")).toMatchObject({
      buyTradable: false,
      sellTradable: false,
    });
    floor.now = Date.parse("2026-01-18T22:00:00Z");
    expect(floor.row("OpenPosition").isDisabled).toBe(false);
    expect(floor.row("Offer", "EUR/USD").buyTradable).toBe(true);
    floor.trade();
  });

  it("stays open with hours switched off", () => {
    const floor = floorAt({ now: saturday });
    floor.trade();
  });

  it("of one instrument type leaves the others open", () => {
    const floor = floorAt({ ...atHours, now: saturday, instrument: { instrument_type: 2 } });
    floor.trade();
  });
});
