import { connectTrading } from "@proj/trading-client";
import { expect, test } from "vitest";
import { dailyReturns, sharpeOf, sortinoOf } from "../../src/reports/daily-returns.ts";
import { exposureOf } from "../../src/reports/exposure.ts";
import { accountId, advance, serveBroker, token } from "./served-broker.ts";

const hourMs = 3_600_000;
const monday = Date.parse("2026-01-12T12:00:00Z");

test("days end at 17:00 in New York, carry their equity over quiet days, and leave weekends out", () => {
  const points = [
    { time: monday, equity: 10_100 },
    { time: monday + 2 * hourMs, equity: 10_200 },
    { time: monday + 25 * hourMs, equity: 9_900 },
  ];
  const days = dailyReturns(10_000, points, { time: monday + 7 * 24 * hourMs, equity: 10_890 });
  expect(days.map(({ date, equity }) => [date, equity])).toEqual([
    ["2026-01-12", 102],
    ["2026-01-13", 99],
    ["2026-01-14", 99],
    ["2026-01-15", 99],
    ["2026-01-16", 99],
    ["2026-01-19", 108.9],
  ]);
  const returns = [0.02, 99 / 102 - 1, 0, 0, 0, 0.1];
  expect(days.map((day) => day.return)).toEqual(returns.map((value) => expect.closeTo(value, 7)));
  const mean = returns.reduce((sum, value) => sum + value, 0) / 6;
  const variance = returns.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 5;
  expect(sharpeOf(days)).toBeCloseTo((mean / Math.sqrt(variance)) * Math.sqrt(260), 4);
  const loss = Math.sqrt((returns[1] ?? 0) ** 2 / 6);
  expect(sortinoOf(days)).toBeCloseTo((mean / loss) * Math.sqrt(260), 4);
  expect([sharpeOf([]), sortinoOf(days.slice(0, 1))]).toEqual([null, null]);
});

test("exposure counts time with several positions once", () => {
  const spans = [
    { openTime: 0, closeTime: 10 },
    { openTime: 5, closeTime: 20 },
    { openTime: 6, closeTime: 7 },
    { openTime: 50, closeTime: 60 },
  ];
  expect(exposureOf(spans, 100)).toBe(0.3);
  expect(exposureOf([], 100)).toBeNull();
});

test("the report has its figures by symbol and day; stop and limit are set both or neither", async () => {
  await using broker = await serveBroker();
  await using client = await connectTrading({ url: broker.url, token });
  const trade = async (symbol: string, is_buy: boolean): Promise<string> => {
    const order = await client.placeMarketOrder({
      account_id: accountId,
      symbol,
      is_buy,
      amount: 7,
    });
    return (await order.ended()).tradeIds[0] ?? "";
  };
  const euro = await trade("EUR/USD", true);
  const protectedBy = async () => {
    const [row] = await client.snapshot("OpenPosition");
    return [row?.stop, row?.limit, row?.stopMove];
  };
  await client.setStopLimit({ trade_id: euro, stop: 1.05, limit: 1.2, trailing_stop_step: 10 });
  expect(await protectedBy()).toEqual([1.05, 1.2, 10]);
  // The limit is on the wrong side: the stop stays, too.
  const refused = client.setStopLimit({ trade_id: euro, stop: 1.06, limit: 0.9 });
  await expect(refused).rejects.toMatchObject({ code: 19 });
  expect(await protectedBy()).toEqual([1.05, 1.2, 10]);
  await client.setStopLimit({ trade_id: euro, stop: 1.04 });
  expect(await protectedBy()).toEqual([1.04, 1.2, 10]);
  await client.setStopLimit({ trade_id: euro, limit: 0 });
  expect(await protectedBy()).toEqual([1.04, 0, 10]);
  advance(broker, hourMs);
  await client.closeTrade({ trade_id: euro });
  await client.closeTrade({ trade_id: await trade("USD/JPY", false) });
  const answer = await fetch(`${broker.url}/control/report`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { summary, symbols, days } = Object(await answer.json());
  expect(symbols).toMatchObject([
    { symbol: "EUR/USD", side: "buy", trades: 1, amount: 7 },
    { symbol: "USD/JPY", side: "sell", trades: 1, amount: 7 },
  ]);
  const net = symbols[0].net_profit + symbols[1].net_profit;
  expect(net).toBeCloseTo(summary.net_profit, 2);
  expect(summary.expectancy).toBeCloseTo(net / 2, 2);
  expect(summary.exposure).toBeGreaterThan(0.99);
  expect(days).toMatchObject([{ date: "2026-01-12", equity: summary.equity }]);
});

test("a server that cannot set both at once is asked one by one, and the first is undone", async () => {
  await using broker = await serveBroker({ properties: [{ name: "extensions", value: "" }] });
  await using client = await connectTrading({ url: broker.url, token });
  const order = { account_id: accountId, symbol: "EUR/USD", is_buy: true, amount: 7 };
  await client.openTrade({ ...order, stop: 1.05, limit: 1.2, trailing_stop_step: 10 });
  const [row] = await client.snapshot("OpenPosition");
  const trade_id = row?.tradeId ?? "";
  const refused = client.setStopLimit({ trade_id, stop: 1.06, limit: 0.9 });
  await expect(refused).rejects.toMatchObject({ code: 19 });
  const [after] = await client.snapshot("OpenPosition");
  expect([after?.stop, after?.limit, after?.stopMove]).toEqual([1.05, 1.2, 10]);
  await client.setStopLimit({ trade_id, limit: 1.3 });
  expect((await client.snapshot("OpenPosition"))[0]).toMatchObject({ stop: 1.05, limit: 1.3 });
});
