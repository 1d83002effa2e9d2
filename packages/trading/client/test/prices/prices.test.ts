import { waitFor } from "@proj/test-kit";
import { RefusalError } from "@proj/trading-client";
import { expect, test } from "vitest";
import { connect } from "../server/connect.ts";
import { collectEvents, nextEvent } from "../server/events.ts";
import { refused } from "../server/recorded-answers.ts";
import { TradingServer } from "../server/trading-server.ts";

const eur = "EUR/USD";
const yen = "USD/JPY";

test("prices arrive as events with numbers and an instant", async () => {
  await using server = await TradingServer.start();
  await using client = await connect(server);
  server.price(eur, 1.25, 1_524_657_636_391);
  const [first] = await client.subscribePrices([eur]);
  expect(first).toMatchObject({ symbol: eur, bid: 1.25, ask: 2.25, high: 1.3, low: 1.1 });
  expect(String(first?.time)).toBe("2018-04-25T12:00:36.391Z");

  const next = nextEvent(client, "price");
  server.price(eur, 1.23, 1_524_657_636_500);
  expect(await next).toMatchObject({ symbol: eur, bid: 1.23 });
  expect(client.latestPrice(eur)?.bid).toBe(1.23);
  expect(client.latestPrice(yen)).toBeNull();
});

test("times in seconds from older servers are read", async () => {
  await using server = await TradingServer.start();
  await using client = await connect(server);
  await client.subscribePrices([eur]);
  const next = nextEvent(client, "price");
  server.price(eur, 1.22, 1_524_657_636);
  expect(String((await next).time)).toBe("2018-04-25T12:00:36Z");
});

test("a slow reader gets the newest price of each symbol and the number it missed", async () => {
  await using server = await TradingServer.start();
  await using client = await connect(server);
  const prices = client.prices([eur, yen]);
  const all = collectEvents(client, "price");
  await waitFor(() => server.requestsTo("/subscribe").length === 1, "the subscription");
  const first = prices.next();
  server.price(eur, 1, 1e12);
  expect((await first).value).toMatchObject({ symbol: eur, bid: 1, skipped: 0 });

  for (let tick = 2; tick <= 6; tick += 1) server.price(eur, tick, 1e12 + tick);
  server.price(yen, 100, 1e12);
  server.price(yen, 101, 1e12 + 1);
  await waitFor(() => all.length === 8, "all prices as events");
  expect((await prices.next()).value).toMatchObject({ symbol: eur, bid: 6, skipped: 4 });
  expect((await prices.next()).value).toMatchObject({ symbol: yen, bid: 101, skipped: 1 });
  const next = prices.next();
  server.price(eur, 7, 1e12 + 9);
  expect((await next).value).toMatchObject({ bid: 7, skipped: 0 });
});

test("a symbol stays subscribed as long as someone reads or listens", async () => {
  await using server = await TradingServer.start();
  await using client = await connect(server);
  server.price(eur, 1, 1e12);
  server.price(yen, 100, 1e12);
  await client.subscribePrices([eur]);
  const bids: number[] = [];
  for await (const { bid } of client.prices([eur, yen])) if (bids.push(bid) === 2) break;
  expect(bids).toEqual([1, 100]);
  expect(server.requestsTo("/subscribe").map(({ fields }) => fields.get("pairs"))).toEqual([
    [eur],
    [yen],
  ]);
  await waitFor(() => server.requestsTo("/unsubscribe").length === 1, "yen to be unsubscribed");
  await client.unsubscribePrices([eur]);
  expect(server.requestsTo("/unsubscribe").map(({ fields }) => fields.get("pairs"))).toEqual([
    [yen],
    [eur],
  ]);
  expect(client.latestPrice(eur)).toBeNull();
});

test("reading goes on after a reconnect, with the price at that time", async () => {
  await using server = await TradingServer.start();
  await using client = await connect(server);
  const prices = client.prices([eur]);
  await waitFor(() => server.requestsTo("/subscribe").length === 1, "the subscription");
  const first = prices.next();
  server.price(eur, 1, 1e12);
  expect((await first).value).toMatchObject({ bid: 1 });
  server.dropConnections();
  server.price(eur, 2, 1e12 + 1);
  expect((await prices.next()).value).toMatchObject({ bid: 2 });
});

test("a refused symbol fails its reader and is not requested again", async () => {
  await using server = await TradingServer.start();
  await using client = await connect(server);
  await client.subscribePrices([eur]);
  server.answer("/subscribe", () => refused(22, "There is no symbol XXX/YYY", "XXX/YYY"));
  await expect(client.prices(["XXX/YYY"]).next()).rejects.toBeInstanceOf(RefusalError);
  await expect(client.subscribePrices([eur, "XXX/YYY"])).rejects.toMatchObject({ code: 22 });
  server.answer("/subscribe", null);
  const reconnected = nextEvent(client, "reconnected");
  server.dropConnections();
  await reconnected;
  expect(server.requestsTo("/subscribe").at(-1)?.fields.get("pairs")).toEqual([eur]);
});

test("reading ends with its signal, on return, and with the client", async () => {
  await using server = await TradingServer.start();
  await using client = await connect(server);
  const controller = new AbortController();
  const aborted = client.prices([eur], { signal: controller.signal });
  const waiting = aborted.next();
  const reason = new Error("enough");
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  expect(await aborted.next()).toEqual({ done: true, value: undefined });

  const returned = client.prices([eur]);
  const pending = returned.next();
  await returned.return?.();
  expect(await pending).toEqual({ done: true, value: undefined });

  const closed = client.prices([eur]).next();
  await client.close();
  expect(await closed).toEqual({ done: true, value: undefined });
});

test("an unreadable push is reported, and the next one is read", async () => {
  await using server = await TradingServer.start();
  await using client = await connect(server);
  await client.subscribePrices([eur]);
  const unreadable = collectEvents(client, "unreadable");
  const next = nextEvent(client, "price");
  server.push(eur, "{");
  server.push(eur, { Symbol: eur, Updated: 1e12, Rates: [1, null] });
  server.price(eur, 1, 1e12);
  expect((await next).bid).toBe(1);
  expect(unreadable.map(({ error }) => error.name)).toEqual(["SyntaxError", "TypeError"]);
});
