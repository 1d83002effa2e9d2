import {
  decodeForm,
  encodeForm,
  formatWireDate,
  formatWireTime,
  isSymbol,
  isTableModel,
  isTrailingStopStep,
  looksLikeAccountName,
  parseFormBoolean,
  parseFormNumber,
  parseSymbol,
  parseTimeFrame,
  parseWireTime,
  tableModels,
  tables,
  timeFrameIds,
  timeFrames,
} from "@proj/trading-client/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

describe("times", () => {
  it("writes 17 digits in UTC and reads them back", () => {
    const time = Date.UTC(2018, 3, 25, 12, 7, 16, 391);
    expect(formatWireTime(time)).toBe("04252018120716391");
    expect(parseWireTime("04252018120716391")).toBe(time);
    expect(formatWireDate(time)).toBe("04252018");
  });

  it("reads 14 digits as a time without milliseconds", () => {
    expect(parseWireTime("09152017143932")).toBe(Date.UTC(2017, 8, 15, 14, 39, 32));
  });

  it("reads back every time in the years 0 to 9999", () => {
    const min = Date.parse("0000-01-01T00:00:00.000Z");
    const max = Date.parse("9999-12-31T23:59:59.999Z");
    fc.assert(
      fc.property(fc.integer({ min, max }), (time) => {
        expect(parseWireTime(formatWireTime(time))).toBe(time);
      }),
    );
  });

  it.each([
    ...["", "2018-04-25", "042520181207163910", "0425201812071639"],
    ...["13252018120716391", "00252018120716391", "04002018120716391", "04312018120716391"],
    ...["02302018120716391", "02292023120716391", "04252018240000000", "04252018126000000"],
  ])("refuses %j", (text) => {
    expect(() => parseWireTime(text)).toThrow(/17 digits/);
  });
});

describe("forms", () => {
  it("repeats the key of a list and omits undefined", () => {
    const body = encodeForm({ pairs: ["EUR/USD", "USD/JPY"], is_buy: true, stop: undefined });
    expect(body).toBe("pairs=EUR%2FUSD&pairs=USD%2FJPY&is_buy=true");
  });

  it("reads back what it writes", () => {
    const form = decodeForm(
      encodeForm({ models: ["Offer", "Account"], rate: -0.5, note: "a b&c" }),
    );
    expect(Object.fromEntries(form)).toEqual({
      models: ["Offer", "Account"],
      rate: ["-0.5"],
      note: ["a b&c"],
    });
  });

  it("reads booleans and numbers as bots in other languages write them, and nothing else", () => {
    expect(["true", "True", "1"].map(parseFormBoolean)).toEqual([true, true, true]);
    expect(["false", "False", "0"].map(parseFormBoolean)).toEqual([false, false, false]);
    expect(["yes", ""].map(parseFormBoolean)).toEqual([undefined, undefined]);
    expect(["1.5", "-10", "+2", ".5", "1e3"].map(parseFormNumber)).toEqual([
      1.5, -10, 2, 0.5, 1000,
    ]);
    const bad = ["", "NaN", "Infinity", "0x10", "1,5", "1e999", " 1"];
    expect(bad.map(parseFormNumber)).toEqual(bad.map(() => undefined));
  });

  it("refuses a million digits and a letter in linear time", () => {
    expect(parseFormNumber(`${"0".repeat(1_000_000)}x`)).toBeUndefined();
  });
});

describe("identifiers", () => {
  it("accepts <base>/<quote> as a symbol", () => {
    expect(parseSymbol("EUR/USD")).toEqual({ base: "EUR", quote: "USD" });
    expect(["EUR/USD", "XAU/USD", "SPX500/USD"].every(isSymbol)).toBe(true);
    expect(["EURUSD", "EUR/", "/USD", "EUR/USD/JPY", "EUR USD"].some(isSymbol)).toBe(false);
    expect(() => parseSymbol("EURUSD")).toThrow(/EURUSD.*EUR\/USD/);
  });

  it("accepts the names of other products, which are quoted in dollars unless told otherwise", () => {
    const names = ["US30", "GER30", "USOil", "USDOLLAR", "CHN.TECH", "NVDA.us", "WHEATF"];
    expect(names.filter((name) => !isSymbol(name))).toEqual([]);
    expect(["EURUSD", "eurusd", "EUR-USD", "EUR_USD", "XAUUSD", ""].some(isSymbol)).toBe(false);
    expect(parseSymbol("US30")).toEqual({ base: "US30", quote: "USD" });
    expect(parseSymbol("GER30", "EUR")).toEqual({ base: "GER30", quote: "EUR" });
  });

  it("recognises an account name by its leading zeros", () => {
    expect(looksLikeAccountName("01537581")).toBe(true);
    expect(looksLikeAccountName("1537581")).toBe(false);
  });

  it.each([
    [0, true],
    [1, true],
    ...[2, 3, 4, 5, 6, 7, 8, 9].map((step): [number, boolean] => [step, false]),
    [10, true],
    [250, true],
    [-1, false],
    [-10, false],
    [10.5, false],
    [Number.NaN, false],
    [Number.POSITIVE_INFINITY, false],
  ])("says whether %d is a trailing stop step: %s", (step, allowed) => {
    expect(isTrailingStopStep(step)).toBe(allowed);
  });
});

describe("time frames", () => {
  it("has the interface's limits", () => {
    const limits = timeFrameIds.map((id) => [
      id,
      timeFrames[id].maxDaysBack,
      timeFrames[id].maxCandles,
    ]);
    expect(limits).toEqual([
      ["m1", 16, 10_000],
      ["m5", 56, 10_000],
      ["m15", 212, 10_000],
      ["m30", 316, 10_000],
      ["h1", 624, 10_000],
      ["h2", 1224, 10_000],
      ["h3", 2056, 10_000],
      ["h4", 2664, 10_000],
      ["h6", 3632, 10_000],
      ["h8", 5128, 10_000],
      ["D1", null, null],
      ["W1", null, null],
      ["M1", null, null],
    ]);
  });

  it("tells m1 from M1 and reads H1 as h1", () => {
    expect(parseTimeFrame("m1")).toBe("m1");
    expect(parseTimeFrame("M1")).toBe("M1");
    expect(parseTimeFrame("H1")).toBe("h1");
    expect(parseTimeFrame("d1")).toBe("D1");
    expect(parseTimeFrame("M5")).toBeUndefined();
    expect(parseTimeFrame("h5")).toBeUndefined();
  });
});

describe("tables", () => {
  it("numbers the tables like the interface", () => {
    const numbers = tableModels.map((model) => [model, tables[model].t]);
    expect(Object.fromEntries(numbers)).toEqual({
      Offer: 0,
      OpenPosition: 1,
      ClosedPosition: 2,
      Order: 3,
      Summary: 5,
      LeverageProfile: null,
      Account: 6,
      Properties: null,
      OCO: 4,
    });
  });

  it("recognises the names of models", () => {
    expect(isTableModel("OpenPosition")).toBe(true);
    expect(isTableModel("open_positions")).toBe(false);
    expect(isTableModel("toString")).toBe(false);
  });
});
