import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@proj/test-kit";
import { describe, expect, it, onTestFinished } from "vitest";
import { PriceFileError } from "../../src/market/price-file-error.ts";
import type { PriceSource } from "../../src/market/price-source.ts";
import { Random } from "../../src/market/random.ts";
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
  const candle = (open: number, high: number, low: number, close: number) =>
    `date,bidopen,bidclose,bidhigh,bidlow,askopen,askclose,askhigh,asklow,tickqty
2026-01-12 10:00:00,${open},${close},${high},${low},${open + 0.0001},${close + 0.0001},${high + 0.0002},${low + 0.0001},52
`;

  it.each([
    ["rising", 1.1, 1.102, 1.099, 1.101],
    ["falling", 1.101, 1.102, 1.099, 1.1],
    ["without shadows", 1.099, 1.102, 1.099, 1.102],
    ["that returns", 1.1, 1.102, 1.099, 1.1],
    ["without a body or a range", 1.1, 1.1, 1.1, 1.1],
  ])("%s is played from open to close and touches its high and low", async (_, ...rates) => {
    const [open = 0, high = 0, low = 0, close = 0] = rates.map((rate) => Math.round(rate * 1e5));
    const [o = 0, h = 0, l = 0, c = 0] = rates;
    const file = await csv(candle(o, h, l, c));
    const ticks = take(replay(file, { symbol: "EUR/USD" }), 100);
    const bids = ticks.map(({ bid }) => bid);
    expect(ticks.map(({ time }) => time % 60_000)).toEqual(
      Array.from({ length: 60 }, (__, index) => index * 1000),
    );
    expect([bids[0], Math.max(...bids), Math.min(...bids), bids.at(-1)]).toEqual([
      ...[open, high, low, close],
    ]);
    const asks = ticks.map(({ ask }) => ask);
    expect([asks[0], Math.max(...asks), Math.min(...asks)]).toEqual([
      ...[open === high ? high + 20 : open + 10, high + 20, low + 10],
    ]);
    expect(ticks.every(({ bid, ask }) => ask >= bid)).toBe(true);
    expect(take(replay(file, { symbol: "EUR/USD" }), 100)).toEqual(ticks);
  });

  it("of several symbols is interleaved, with the spread added to bids", async () => {
    const file = await csv(
      `Time,Symbol,Open,High,Low,Close
1768212000,EUR/USD,1.1,1.2,1.0,1.1
1768212000,USD/JPY,150,151,149,149.5
1768212000,XAU/USD,2000,2000,2000,2000
`,
    );
    const prices = written(replay(file));
    expect(prices.map((price) => price.slice(0, 16))).toEqual(
      Array.from({ length: 60 }, (_, turn) => {
        const second = String(turn).padStart(2, "0");
        return [`EUR/USD 10:00:${second}`, `USD/JPY 10:00:${second}`];
      }).flat(),
    );
    expect([...prices.slice(0, 2), ...prices.slice(-2)]).toEqual([
      ...["EUR/USD 10:00:00 110000 110008", "USD/JPY 10:00:00 150000 150009"],
      ...["EUR/USD 10:00:59 110000 110008", "USD/JPY 10:00:59 149500 149509"],
    ]);
  });

  it("gives nothing away: no step foretells the next one", async () => {
    const random = Random.fromSeed(5);
    let at = 110_000;
    const rows = Array.from({ length: 2000 }, (_, minute) => {
      const path = Array.from({ length: 60 }, () => (at += Math.round(3 * random.normal())));
      const [open, close] = [path[0] ?? 0, path.at(-1) ?? 0];
      const rates = [open, Math.max(...path), Math.min(...path), close].map((bid) => bid / 1e5);
      return [1768212000 + minute * 60, ...rates].join(",");
    });
    const file = await csv(["time,open,high,low,close", ...rows].join("\n"));
    const bids = take(replay(file, { symbol: "EUR/USD" }), 120_000).map(({ bid }) => bid);
    // What following or fading the last step earns in the next, in standard errors, at each place of a candle.
    for (let place = 1; place < 59; place += 1) {
      const earned: number[] = [];
      for (let first = 0; first + 60 <= bids.length; first += 60) {
        const [a = 0, b = 0, c = 0] = bids.slice(first + place - 1, first + place + 2);
        earned.push(Math.sign(b - a) * (c - b));
      }
      const mean = earned.reduce((sum, value) => sum + value, 0) / earned.length;
      const error = Math.sqrt(earned.reduce((sum, value) => sum + value ** 2, 0)) / earned.length;
      expect([place, Math.abs(mean / error) < 4.5]).toEqual([place, true]);
    }
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
