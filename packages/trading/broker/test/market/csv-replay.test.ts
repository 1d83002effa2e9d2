import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@proj/test-kit";
import { describe, expect, it, onTestFinished } from "vitest";
import { PriceFileError } from "../../src/market/price-file-error.ts";
import type { PriceSource } from "../../src/market/price-source.ts";
import { openPrices, take } from "./prices.ts";

async function csv(text: string): Promise<string> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder[Symbol.asyncDispose]());
  const file = join(folder.path, "prices.csv");
  writeFileSync(file, text);
  return file;
}

function replay(file: string, options: { symbol?: string; position?: unknown } = {}): PriceSource {
  const { symbol, position } = options;
  const config = { type: "csv", file, ...(symbol === undefined ? {} : { symbol }) } as const;
  const source = openPrices(config, { position: position ?? null });
  onTestFinished(() => source.close());
  return source;
}

const written = (source: PriceSource, most = 1000) =>
  take(source, most).map(
    ({ symbol, time, bid, ask }) =>
      `${symbol} ${new Date(time).toISOString().slice(11, 19)} ${bid} ${ask}`,
  );

describe("a file of candles", () => {
  it("is played from open to close, a rising candle over its low first", async () => {
    const file = await csv(
      `date,bidopen,bidclose,bidhigh,bidlow,askopen,askclose,askhigh,asklow,tickqty
2026-01-12 10:00:00,1.1000,1.1010,1.1020,1.0990,1.1001,1.1011,1.1022,1.0991,52
2026-01-12 10:01:00,1.1010,1.1005,1.1015,1.1000,1.1011,1.1006,1.1016,1.1001,61
`,
    );
    expect(written(replay(file, { symbol: "EUR/USD" }))).toEqual([
      "EUR/USD 10:00:00 110000 110010",
      "EUR/USD 10:00:15 109900 109910",
      "EUR/USD 10:00:30 110200 110220",
      "EUR/USD 10:00:45 110100 110110",
      "EUR/USD 10:01:00 110100 110110",
      "EUR/USD 10:01:15 110150 110160",
      "EUR/USD 10:01:30 110000 110010",
      "EUR/USD 10:01:45 110050 110060",
    ]);
  });

  it("of several symbols is interleaved, with the spread added to bids", async () => {
    const file = await csv(
      `Time,Symbol,Open,High,Low,Close
1768212000,EUR/USD,1.1,1.2,1.0,1.1
1768212000,USD/JPY,150,151,149,149.5
1768212000,XAU/USD,2000,2000,2000,2000
`,
    );
    expect(written(replay(file))).toEqual([
      "EUR/USD 10:00:00 110000 110008",
      "USD/JPY 10:00:00 150000 150009",
      "EUR/USD 10:00:15 100000 100008",
      "USD/JPY 10:00:15 151000 151009",
      "EUR/USD 10:00:30 120000 120008",
      "USD/JPY 10:00:30 149000 149009",
      "EUR/USD 10:00:45 110000 110008",
      "USD/JPY 10:00:45 149500 149509",
    ]);
  });
});

describe("a price file", () => {
  const many = (count: number) =>
    ["time,symbol,bid,ask"]
      .concat(
        Array.from({ length: count }, (_, index) => {
          const symbol = index % 3 === 0 ? "EUR/USD" : "GBP/USD";
          return `${1768212000000 + index * 250},${symbol},${1 + index / 1e5},${1.5 + index / 1e5}`;
        }),
      )
      .join("\n");

  it("of any size is read to its end, even without a final line break", async () => {
    const ticks = take(replay(await csv(many(4000))), 100_000);
    expect(ticks).toHaveLength(4000);
    expect(ticks.at(-1)).toMatchObject({ symbol: "EUR/USD", bid: 103_999, ask: 153_999 });
  });

  it.each([0, 1, 1999, 2345, 3999, 4000])(
    "resumes from its position after %d prices",
    async (taken) => {
      const file = await csv(many(4000));
      const source = replay(file);
      take(source, taken);
      const position: unknown = JSON.parse(JSON.stringify(source.position));
      expect(take(replay(file, { position }), 20_000)).toEqual(take(source, 20_000));
    },
  );

  it("that has become shorter is refused", async () => {
    const file = await csv(many(4000));
    const source = replay(file);
    take(source, 3900);
    writeFileSync(file, many(5));
    expect(() => replay(file, { position: source.position })).toThrow(/shorter/);
  });
});

describe("an unusable file", () => {
  it.each([
    ["no rate", "time,symbol,bid,ask\n1768212000,EUR/USD,x,1.1", /its bid is not a rate: .*,x,1.1/],
    ["no time", "symbol,bid,ask\nEUR/USD,1,1.1", /no time/],
    ["an invalid time", "time,symbol,bid,ask\nnoon,EUR/USD,1,1.1", /no time: noon/],
    ["no symbol", "time,bid,ask\n1768212000,1,1.1", /has no symbol/],
    ["an ask below its bid", "time,symbol,bid,ask\n1768212000,EUR/USD,1.1,1", /below its bid/],
    [
      "too few fields",
      "time,symbol,bid,ask\n1768212000,EUR/USD,1.1",
      /from byte 20: .*length is 4, got 3/,
    ],
    [
      "times out of order",
      "time,symbol,bid,ask\n1768212001,EUR/USD,1,1.1\n1768212000,EUR/USD,1,1.1",
      /order of time.*EUR\/USD at 2026-01-12T10:00:00/,
    ],
  ])("with %s is reported", async (_what, text, message) => {
    const file = await csv(`${text}\n`);
    const read = () => take(replay(file), 10);
    expect(read).toThrow(PriceFileError);
    expect(read).toThrow(message);
  });

  it("that is missing is reported", () => {
    expect(() => replay("/nowhere/prices.csv")).toThrow(PriceFileError);
  });

  it("with only a header line gives no prices", async () => {
    expect(replay(await csv("time,symbol,bid,ask\n")).next).toBeNull();
    expect(replay(await csv("time,symbol,bid,ask")).next).toBeNull();
  });
});
