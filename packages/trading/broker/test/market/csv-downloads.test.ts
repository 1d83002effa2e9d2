import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { temporaryFolder } from "@proj/test-kit";
import { expect, it, onTestFinished } from "vitest";
import { openPrices, take } from "./prices.ts";

async function files(texts: Readonly<Record<string, string | Buffer>>): Promise<readonly string[]> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  return Object.entries(texts).map(([name, text]) => {
    writeFileSync(join(folder.path, name), text);
    return join(folder.path, name);
  });
}

function played(file: readonly string[], position: unknown = null) {
  const source = openPrices({ type: "csv", file }, { position });
  onTestFinished(() => source.close());
  return source;
}

const printed = (file: readonly string[]) =>
  take(played(file), 100).map(
    ({ symbol, time, bid, ask }) => `${symbol} ${new Date(time).toISOString()} ${bid} ${ask}`,
  );

it("plays Dukascopy ticks unchanged, with the symbol from the file's name", async () => {
  const file = await files({
    "EURUSD_Ticks_12.01.2026-12.01.2026.csv": `Gmt time,Ask,Bid,AskVolume,BidVolume
12.01.2026 10:00:00.123,1.10008,1.10000,1.12,0.9
12.01.2026 10:00:00.623,1.10009,1.10001,1.12,0.9
`,
    "USDJPY_Ticks_12.01.2026-12.01.2026.csv": `Time (UTC),Ask,Bid,AskVolume,BidVolume
2026.01.12 10:00:00.500,150.009,150.000,1.12,0.9
`,
    "usdchf-tick-2026-01-12.csv": `timestamp,askPrice,bidPrice,askVolume,bidVolume
1768212000700,0.88012,0.88,1,1
`,
  });
  expect(printed(file)).toEqual([
    "EUR/USD 2026-01-12T10:00:00.123Z 110000 110008",
    "USD/JPY 2026-01-12T10:00:00.500Z 150000 150009",
    "EUR/USD 2026-01-12T10:00:00.623Z 110001 110009",
    "USD/CHF 2026-01-12T10:00:00.700Z 88000 88012",
  ]);
});

it("plays Dukascopy bid candles with the spread, also in local time", async () => {
  const file = await files({
    "EURUSD_Candlestick_1_m_BID_12.01.2026.csv": `Local time,Open,High,Low,Close,Volume
12.01.2026 11:00:00.000 GMT+0100,1.1,1.102,1.099,1.101,120.5
`,
  });
  const prices = printed(file);
  expect([prices[0], prices.at(-1)]).toEqual([
    "EUR/USD 2026-01-12T10:00:00.000Z 110000 110008",
    "EUR/USD 2026-01-12T10:00:59.000Z 110100 110108",
  ]);
});

it("plays HistData ticks, candles and MetaTrader files in New York winter time", async () => {
  const file = await files({
    "DAT_ASCII_EURUSD_T_202607.csv": `20260713 060000123,1.100000,1.100080,0
20260713 060001000,1.100010,1.100090,0
`,
    "DAT_ASCII_USDJPY_M1_2026.csv": "20260713 060000;150.000;150.000;150.000;150.000;0\n",
    "DAT_MT_GBPUSD_M1_2026.csv": "2026.07.13,06:00,1.25,1.25,1.25,1.25,0\n",
  });
  expect(printed(file).slice(0, 3)).toEqual([
    "USD/JPY 2026-07-13T11:00:00.000Z 150000 150009",
    "GBP/USD 2026-07-13T11:00:00.000Z 125000 125011",
    "EUR/USD 2026-07-13T11:00:00.123Z 110000 110008",
  ]);
});

it("plays the provider's candles and ticks, packed and in UTF-16 as they are published", async () => {
  const candles = `DateTime,BidOpen,BidHigh,BidLow,BidClose,AskOpen,AskHigh,AskLow,AskClose
01/12/2026 10:00:00.000,1.1,1.1,1.1,1.1,1.1001,1.1001,1.1001,1.1001
`;
  const ticks = `DateTime,Bid,Ask
01/12/2026 10:00:00.389,150.000,150.009
01/12/2026 10:00:00.789,150.001,150.010
`;
  const file = await files({
    "EURUSD_2026_3.csv.gz": gzipSync(candles.replaceAll("\n", "\r\n")),
    "USDJPY_2026_3.csv.gz": gzipSync(
      Buffer.from(`\uFEFF${ticks.replaceAll("\n", "\r\n")}`, "utf16le"),
    ),
  });
  expect(printed(file).slice(0, 4)).toEqual([
    "EUR/USD 2026-01-12T10:00:00.000Z 110000 110010",
    "USD/JPY 2026-01-12T10:00:00.389Z 150000 150009",
    "USD/JPY 2026-01-12T10:00:00.789Z 150001 150010",
    "EUR/USD 2026-01-12T10:00:01.000Z 110000 110010",
  ]);
});

it("plays MetaTrader 5's exports: bars with their spread, and ticks that name only what has changed", async () => {
  const file = await files({
    "EURUSD_M1_202601121000_202601121000.csv": `<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>
2026.01.12\t10:00:00\t1.10000\t1.10000\t1.10000\t1.10000\t52\t0\t12
`,
    "USDJPY_202601121000.csv": `<DATE>\t<TIME>\t<BID>\t<ASK>\t<LAST>\t<VOLUME>\t<FLAGS>
2026.01.12\t10:00:00.050\t150.000\t\t\t\t2
2026.01.12\t10:00:00.100\t150.000\t150.009\t\t\t6
2026.01.12\t10:00:00.200\t150.002\t\t\t\t2
2026.01.12\t10:00:00.300\t\t150.012\t\t\t4
`,
  });
  expect(printed(file).slice(0, 4)).toEqual([
    "EUR/USD 2026-01-12T10:00:00.000Z 110000 110012",
    "USD/JPY 2026-01-12T10:00:00.100Z 150000 150009",
    "USD/JPY 2026-01-12T10:00:00.200Z 150002 150009",
    "USD/JPY 2026-01-12T10:00:00.300Z 150002 150012",
  ]);
  const source = played([file[1] ?? ""]);
  take(source, 2);
  const position: unknown = JSON.parse(JSON.stringify(source.position));
  expect(take(played([file[1] ?? ""], position), 9)).toEqual(take(source, 9));
});

it("resumes several files, each from its own position", async () => {
  const minutes = (price: number) =>
    `time,bid,ask\n${Array.from({ length: 60 }, (_, minute) => {
      const time = `2026-01-12 10:${String(minute).padStart(2, "0")}:00`;
      return `${time},${price},${price + 0.01}`;
    }).join("\n")}\n`;
  const file = await files({ "EURUSD.csv": minutes(1.1), "USDJPY.csv": minutes(150) });
  for (const taken of [0, 1, 7, 119, 120]) {
    const source = played(file);
    take(source, taken);
    const position: unknown = JSON.parse(JSON.stringify(source.position));
    expect(take(played(file, position), 200)).toEqual(take(source, 200));
  }
});

it("refuses an unknown format without column names and says what to do", async () => {
  const file = await files({ "EURUSD.csv": "1768212000,1.1,1.2\n" });
  expect(() => played(file)).toThrow("add a line such as time,bid,ask");
  const unnamed = await files({ "prices.csv": "time,bid,ask\n1768212000,1.1,1.2\n" });
  expect(() => played(unnamed)).toThrow("it has no symbol");
});
