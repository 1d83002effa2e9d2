import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@proj/test-kit";
import { connectTrading } from "@proj/trading-client";
import { expect, test } from "vitest";
import type { PaperBroker } from "../../src/index.ts";
import { accountId, serveBroker, start, token } from "./served-broker.ts";

const order = { account_id: accountId, symbol: "EUR/USD", is_buy: true, amount: 5 };

const advance = async ({ url }: PaperBroker, body: string) => {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/control/advance`, { method: "POST", headers, body });
  return Object(await answer.json());
};

test("an advance returns when the client has had every price and change until then", async () => {
  await using broker = await serveBroker();
  await using client = await connectTrading({ url: broker.url, token });
  const seen = { prices: 0, newest: 0 };
  client.on("price", ({ time }) => {
    seen.prices += 1;
    seen.newest = time.epochMilliseconds;
  });
  await client.subscribePrices(["EUR/USD", "USD/JPY"]);
  const positions = await client.subscribeTable("OpenPosition");
  await client.openTrade(order);
  const before = seen.prices;
  // More than a connection queues before it conflates.
  const { now, isOver } = await client.market.advance(3_600_000);
  expect([seen.prices - before, isOver]).toEqual([7200, false]);
  expect(now.epochMilliseconds).toBe(Date.parse(start) + 3_610_000);
  expect(seen.newest).toBeGreaterThan(now.epochMilliseconds - 1000);
  const [row] = broker.market.snapshot("OpenPosition");
  expect([...positions.rows.values()]).toMatchObject([{ grossPL: row?.grossPL }]);
  const later = now.add({ seconds: 90 });
  expect((await client.market.advance({ to: later })).now.equals(later)).toBe(true);
  expect((await client.market.time()).now.equals(later)).toBe(true);
});

test("advances take turns, and are refused where the market moves by itself", async () => {
  await using broker = await serveBroker();
  const begin = broker.market.now;
  const both = await Promise.all([advance(broker, "ms=1000"), advance(broker, "ms=1000")]);
  expect(both.map(({ data }) => data.now).sort()).toEqual([begin + 1000, begin + 2000]);
  for (const body of ["", "ms=-1", "ms=x", "to=0.5"])
    expect(await advance(broker, body)).toMatchObject({ response: { executed: false }, code: 28 });
  await using moving = await serveBroker({ speed: 1 });
  expect(await advance(moving, "ms=1000")).toMatchObject({ code: 34 });
});

test("a price file's end is told, and nothing can be traded a candle later", async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, "EURUSD.csv");
  const rows = ["time,bid,ask", "2026-01-12 10:00:00,1.1,1.1001", "2026-01-12 10:00:30,1.2,1.2001"];
  await writeFile(file, `${rows.join("\n")}\n`);
  const log: string[] = [];
  const prices = { type: "csv", file } as const;
  await using broker = await serveBroker({ prices }, (message) => log.push(message));
  await using client = await connectTrading({ url: broker.url, token });
  expect((await client.market.time()).isOver).toBe(false);
  expect((await client.market.advance(60_000)).isOver).toBe(true);
  expect(log).toContain("the prices have ended: EUR/USD");
  await client.openTrade(order);
  await client.market.advance(30_000);
  await expect(client.openTrade(order)).rejects.toMatchObject({
    code: 25,
    parameters: ["EUR/USD"],
  });
  const offer = (await client.snapshot("Offer")).find(({ currency }) => currency === "EUR/USD");
  expect([offer?.buyTradable, offer?.sellTradable]).toEqual([false, false]);
});
