import { describe, expect, it } from "vitest";
import { accountId, TradingFloor } from "./trading-floor.ts";

function floorWithTrade(trailing_stop_step: number, is_buy = true): TradingFloor {
  const floor = new TradingFloor();
  floor.price("EUR/USD", 1.1, 1.1001);
  floor.trade({ is_buy, stop: is_buy ? -20 : 20, is_in_pips: true, trailing_stop_step });
  return floor;
}

function stopAfter(floor: TradingFloor, ...bids: number[]): number {
  for (const bid of bids) floor.price("EUR/USD", bid, bid + 0.0001);
  return floor.row("OpenPosition").stop;
}

describe("a trailing stop", () => {
  it("with a dynamic step follows every tenth of a pip and never goes back", () => {
    const floor = floorWithTrade(1);
    expect(floor.row("OpenPosition")).toMatchObject({ stop: 1.0981, stopMove: 1 });
    expect(floor.row("Order")).toMatchObject({ type: "ST", stopMove: 1 });
    expect(stopAfter(floor, 1.10001)).toBe(1.09811);
    expect(stopAfter(floor, 1.1005)).toBe(1.0986);
    expect(stopAfter(floor, 1.1002, 1.0999, 1.1004)).toBe(1.0986);
    expect(stopAfter(floor, 1.1006)).toBe(1.0987);
  });

  it("with a fixed step follows in whole steps", () => {
    const floor = floorWithTrade(10);
    expect(stopAfter(floor, 1.1009)).toBe(1.0981);
    expect(stopAfter(floor, 1.101)).toBe(1.0991);
    expect(stopAfter(floor, 1.1015)).toBe(1.0991);
    expect(stopAfter(floor, 1.1032)).toBe(1.1011);
    expect(stopAfter(floor, 1.1039)).toBe(1.1011);
    expect(stopAfter(floor, 1.104)).toBe(1.1021);
  });

  it("follows a sold position down", () => {
    const floor = floorWithTrade(10, false);
    expect(floor.row("OpenPosition").stop).toBe(1.102);
    expect(stopAfter(floor, 1.0991)).toBe(1.102);
    expect(stopAfter(floor, 1.0985)).toBe(1.101);
    floor.price("EUR/USD", 1.1009, 1.101);
    expect(floor.row("ClosedPosition").close).toBe(1.101);
  });

  it("closes at the moved stop", () => {
    const floor = floorWithTrade(1);
    stopAfter(floor, 1.105);
    floor.price("EUR/USD", 1.103, 1.1031);
    expect(floor.row("ClosedPosition")).toMatchObject({ close: 1.103, grossPL: 29 });
  });

  it("is set and removed by change_trade_stop_limit", () => {
    const floor = floorWithTrade(0);
    const request = { trade_id: "500000001", is_stop: true, rate: 1.0985 };
    floor.ask("change_trade_stop_limit", { ...request, trailing_stop_step: 1 });
    expect(stopAfter(floor, 1.101)).toBe(1.0995);
    floor.ask("change_trade_stop_limit", request);
    expect(floor.row("Order").type).toBe("S");
    expect(stopAfter(floor, 1.102)).toBe(1.0985);
  });

  it("begins when its entry order fills", () => {
    const floor = new TradingFloor();
    floor.price("EUR/USD", 1.1, 1.1001);
    floor.entry({ rate: 1.0995, stop: -10, is_in_pips: true, trailing_stop_step: 1 });
    expect(floor.row("Order")).toMatchObject({ type: "LE", stopMove: 1 });
    floor.price("EUR/USD", 1.0994, 1.0995);
    expect(floor.row("OpenPosition").stop).toBe(1.0985);
    expect(stopAfter(floor, 1.0996)).toBe(1.0987);
  });
});

describe("a trailing entry order", () => {
  it("of type stop follows a market that moves away", () => {
    const floor = new TradingFloor();
    floor.price("EUR/USD", 1.1, 1.1001);
    floor.entry({ rate: 1.1021, trailing_stop_step: 1 });
    expect(floor.row("Order").type).toBe("STE");
    floor.price("EUR/USD", 1.098, 1.0981);
    expect(floor.row("Order").buy).toBe(1.1001);
    floor.price("EUR/USD", 1.0999, 1.1);
    expect(floor.row("Order").buy).toBe(1.1001);
    floor.price("EUR/USD", 1.1, 1.1001);
    expect(floor.row("OpenPosition").open).toBe(1.1001);
  });

  it("of type limit follows a market that moves away", () => {
    const floor = new TradingFloor();
    floor.price("EUR/USD", 1.1, 1.1001);
    floor.entry({ rate: 1.0981, trailing_stop_step: 10 });
    expect(floor.row("Order").type).toBe("LTE");
    floor.price("EUR/USD", 1.1015, 1.1016);
    expect(floor.row("Order").buy).toBe(1.0991);
    floor.price("EUR/USD", 1.099, 1.0991);
    expect(floor.row("OpenPosition").open).toBe(1.0991);
  });
});

describe("the trailing stop step", () => {
  const market = {
    account_id: accountId,
    symbol: "EUR/USD",
    is_buy: true,
    amount: 1,
    stop: -20,
    is_in_pips: true,
    order_type: "AtMarket",
    time_in_force: "GTC",
  } as const;

  it.each([2, 3, 4, 5, 6, 7, 8, 9, -1, -10, 10.5, Number.NaN])(
    "%d is refused with code 20 in every request",
    (trailing_stop_step) => {
      const floor = floorWithTrade(0);
      const { orderId } = floor.row("Order");
      const entryId = floor.entry({ rate: 1.05 });
      const { order_type, ...entry } = { ...market, rate: 1.05 };
      const codes = [
        floor.refused("open_trade", { ...market, trailing_stop_step }),
        floor.refused("create_entry_order", { ...entry, trailing_stop_step }),
        floor.refused("change_order", { order_id: entryId, trailing_stop_step }),
        floor.refused("change_order", { order_id: orderId, trailing_stop_step }),
        floor.refused("change_order_stop_limit", { order_id: entryId, trailing_stop_step }),
        floor.refused("change_trade_stop_limit", {
          trade_id: "500000001",
          is_stop: true,
          rate: 1.09,
          trailing_stop_step,
        }),
      ].map(({ code }) => code);
      expect(codes).toEqual([20, 20, 20, 20, 20, 20]);
    },
  );

  it.each([0, 1, 10, 11, 300])("%d is accepted", (trailing_stop_step) => {
    const floor = floorWithTrade(trailing_stop_step);
    expect(floor.row("OpenPosition").stopMove).toBe(trailing_stop_step);
  });

  it("of a market order needs a stop to move", () => {
    const floor = floorWithTrade(0);
    const refusal = floor.refused("open_trade", { ...market, stop: 0, trailing_stop_step: 1 });
    expect(refusal).toMatchObject({ code: 28, parameters: ["trailing_stop_step", "1"] });
  });
});
