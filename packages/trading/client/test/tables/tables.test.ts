import { waitFor } from "@proj/test-kit";
import { SlowConsumerError } from "@proj/trading-client";
import { expect, test } from "vitest";
import { connect } from "../server/connect.ts";
import { collectEvents, nextEvent } from "../server/events.ts";
import {
  accountRecord,
  closedPositionRecord,
  offerRecord,
  openPositionRecord,
  orderRecord,
} from "../server/records.ts";
import { TradingServer } from "../server/trading-server.ts";

test("a snapshot has numbers, instants, dates, and no totals", async () => {
  await using server = await TradingServer.start();
  server.tables.Offer.set("1", offerRecord());
  server.tables.ClosedPosition.set("1", closedPositionRecord());
  server.tables.Account.set("1", accountRecord({ mcDate: "04252018120716391" }));
  server.tables.Order.set("1", orderRecord());
  await using client = await connect(server);

  const [offer, ...others] = await client.snapshot("Offer");
  expect(others).toEqual([]);
  expect(offer).toMatchObject({ offerId: 1, currency: "EUR/USD", sell: 1.22011, pip: 0.0001 });
  expect(offer).not.toHaveProperty("t");
  expect(String(offer?.time)).toBe("2018-04-25T12:07:16.391Z");
  expect(String(offer?.valueDate)).toBe("2018-04-27");

  const [closed] = await client.snapshot("ClosedPosition");
  expect(String(closed?.openTime)).toBe("2018-04-25T12:07:16.412Z");
  expect(closed?.closeTime?.epochMilliseconds).toBe(Date.UTC(2018, 3, 25, 12, 10, 1, 7));
  const [account] = await client.snapshot("Account");
  expect(String(account?.mcDate)).toBe("2018-04-25T12:07:16.391Z");
  const [order] = await client.snapshot("Order");
  expect(order?.expireDate).toBeNull();
});

test.each(["Summary", "LeverageProfile", "Properties", "OCO"] as const)(
  "%s can be read and subscribed to",
  async (model) => {
    await using server = await TradingServer.start();
    await using client = await connect(server);
    expect(await client.snapshot(model)).toEqual([]);
    expect((await client.subscribeTable(model)).rows.size).toBe(0);
  },
);

test("a live table follows I, U and D, partial ones and ones without an action", async () => {
  await using server = await TradingServer.start();
  server.tables.OpenPosition.set("1", openPositionRecord({ tradeId: "1" }));
  await using client = await connect(server);
  const { rows } = await client.subscribeTable("OpenPosition");
  const changes = collectEvents(client, "OpenPosition");
  const before = rows.get("1");

  server.change("OpenPosition", "I", openPositionRecord({ tradeId: "2" }));
  server.push("OpenPosition", { t: 1, tradeId: "1", close: 1.3, grossPL: 79.77 });
  server.change("OpenPosition", "D", { t: 1, tradeId: "2", close: 1.25 });
  await waitFor(() => changes.length === 3, "the changes");

  expect(changes.map(({ action, key }) => action + key)).toEqual(["I2", "U1", "D2"]);
  expect(changes[1]).toMatchObject({
    model: "OpenPosition",
    changed: { close: 1.3, grossPL: 79.77 },
    row: { tradeId: "1", close: 1.3, open: 1.22023 },
    isSynthetic: false,
  });
  expect(changes[2]).toMatchObject({ row: { tradeId: "2", close: 1.25, open: 1.22023 } });
  expect([...rows.keys()]).toEqual(["1"]);
  expect(rows.get("1")?.close).toBe(1.3);
  // A row that a caller holds does not change.
  expect(before?.close).toBe(1.22011);
});

test("duplicates and updates of deleted rows change nothing", async () => {
  await using server = await TradingServer.start();
  await using client = await connect(server);
  const { rows } = await client.subscribeTable("Order");
  const changes = collectEvents(client, "Order");
  server.copies = 3;
  server.change("Order", "I", orderRecord({ orderId: "1" }));
  server.change("Order", "U", { orderId: "1", status: 6 });
  server.change("Order", "D", { orderId: "1", status: 9 });
  server.push("Order", { orderId: "1", status: 6 });
  server.change("Order", "I", orderRecord({ orderId: "2" }));
  await waitFor(() => rows.has("2"), "the second order");
  expect(changes.map(({ action, key }) => action + key)).toEqual(["I1", "U1", "D1", "I2"]);
});

test("a reader gets every change since its creation", async () => {
  await using server = await TradingServer.start();
  await using client = await connect(server);
  const table = await client.subscribeTable("Order");
  const changes = table.changes();
  for (let id = 1; id <= 500; id += 1) {
    server.change("Order", "I", orderRecord({ orderId: String(id) }));
  }
  await waitFor(() => table.rows.size === 500, "all orders");
  await client.unsubscribeTable("Order");
  const keys: string[] = [];
  for await (const { key } of changes) keys.push(key);
  expect(keys).toEqual(Array.from({ length: 500 }, (_, index) => String(index + 1)));
  expect(await table.changes().next()).toEqual({ done: true, value: undefined });
});

test("a reader too far behind gets the queued changes, then an error; rows stay correct", async () => {
  await using server = await TradingServer.start();
  await using client = await connect(server);
  const table = await client.subscribeTable("Order");
  const changes = table.changes({ maxQueued: 2 });
  for (const orderId of ["1", "2", "3", "4"]) server.change("Order", "I", orderRecord({ orderId }));
  await waitFor(() => table.rows.size === 4, "the orders");
  expect((await changes.next()).value?.key).toBe("1");
  expect((await changes.next()).value?.key).toBe("2");
  await expect(changes.next()).rejects.toBeInstanceOf(SlowConsumerError);
  expect(await changes.next()).toEqual({ done: true, value: undefined });
});

test("a table is subscribed once, one model per request, and not again once unsubscribed", async () => {
  await using server = await TradingServer.start();
  await using client = await connect(server);
  const [first, second] = await Promise.all([
    client.subscribeTable("Order"),
    client.subscribeTable("Order"),
  ]);
  expect(first).toBe(second);
  await client.subscribeTable("Offer");
  expect(server.requestsTo("/trading/subscribe").map(({ fields }) => [...fields])).toEqual([
    [["models", ["Order"]]],
    [["models", ["Offer"]]],
  ]);
  await client.unsubscribeTable("Order");
  const reconnected = nextEvent(client, "reconnected");
  server.dropConnections();
  await reconnected;
  expect(server.requestsTo("/trading/subscribe").at(-1)?.fields.get("models")).toEqual(["Offer"]);
  expect(await client.subscribeTable("Order")).not.toBe(first);
});

test("an unreadable record is reported and changes nothing", async () => {
  await using server = await TradingServer.start();
  await using client = await connect(server);
  const { rows } = await client.subscribeTable("Order");
  const unreadable = collectEvents(client, "unreadable");
  server.push("Order", "[]");
  server.push("Order", { action: "I" });
  server.push("Order", orderRecord({ time: "yesterday" }));
  server.change("Order", "I", orderRecord({ orderId: "2" }));
  await waitFor(() => rows.has("2"), "the order");
  expect(rows.size).toBe(1);
  expect(unreadable.length).toBeGreaterThanOrEqual(2);
});

test("a listener that throws does not affect the others", async () => {
  await using server = await TradingServer.start();
  await using client = await connect(server);
  const thrown = Promise.withResolvers<unknown>();
  const listeners = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException");
  process.once("uncaughtException", thrown.resolve);
  try {
    client.on("Order", () => {
      throw new Error("mine");
    });
    const next = nextEvent(client, "Order");
    await client.subscribeTable("Order");
    server.change("Order", "I", orderRecord({ orderId: "1" }));
    expect((await next).key).toBe("1");
    expect(await thrown.promise).toMatchObject({ message: "mine" });
  } finally {
    for (const listener of listeners) process.on("uncaughtException", listener);
  }
});
