import { waitFor } from "@proj/test-kit";
import { ApiError, NotConnectedError } from "@proj/trading-client";
import { expect, test } from "vitest";
import { connect } from "../server/connect.ts";
import { collectEvents, nextEvent } from "../server/events.ts";
import { executed } from "../server/recorded-answers.ts";
import { openPositionRecord, orderRecord } from "../server/records.ts";
import { TradingServer } from "../server/trading-server.ts";

test("a new connection has a new header and renews every subscription", async () => {
  await using server = await TradingServer.start();
  await using client = await connect(server);
  await client.subscribeTable("Order");
  await client.subscribeTable("OpenPosition");
  await client.subscribePrices(["EUR/USD", "USD/JPY"]);
  const before = client.connectionId;
  server.requests.length = 0;

  const reconnected = nextEvent(client, "reconnected");
  const disconnected = nextEvent(client, "disconnected");
  server.dropConnections();
  await expect(disconnected).resolves.toEqual({ reason: expect.stringContaining("ended") });
  expect(client.state).toBe("reconnecting");
  const { connectionId } = await reconnected;
  expect(connectionId).not.toBe(before);
  expect(client.connectionId).toBe(connectionId);
  expect(client.state).toBe("connected");

  const asked = server.requests.map(({ path, fields }) => [path, ...[...fields.values()].flat()]);
  expect(asked).toEqual([
    ["/subscribe", "EUR/USD", "USD/JPY"],
    ["/trading/subscribe", "Order"],
    ["/trading/subscribe", "OpenPosition"],
    ["/trading/get_model", "Order", "OpenPosition"],
  ]);
  for (const { headers } of server.requests) {
    expect(headers.authorization).toBe(`Bearer ${connectionId}${server.token}`);
  }
});

test("changes while disconnected are reported as synthetic I, U and D, and counted", async () => {
  await using server = await TradingServer.start();
  for (const tradeId of ["1", "2", "3"]) {
    server.tables.OpenPosition.set(tradeId, openPositionRecord({ tradeId }));
  }
  await using client = await connect(server);
  const table = await client.subscribeTable("OpenPosition");
  const events = collectEvents(client, "OpenPosition", "reconnected");

  server.dropConnections();
  server.tables.OpenPosition.delete("1");
  server.tables.OpenPosition.set("2", openPositionRecord({ tradeId: "2", close: 1.3 }));
  server.tables.OpenPosition.set("4", openPositionRecord({ tradeId: "4" }));
  await nextEvent(client, "reconnected");

  expect(events).toEqual([
    expect.objectContaining({ action: "U", key: "2", changed: { close: 1.3 }, isSynthetic: true }),
    expect.objectContaining({ action: "I", key: "4", isSynthetic: true }),
    expect.objectContaining({ action: "D", key: "1", isSynthetic: true }),
    {
      connectionId: client.connectionId,
      tables: new Map([["OpenPosition", { inserted: 1, updated: 1, deleted: 1 }]]),
    },
  ]);
  expect([...table.rows.keys()].sort()).toEqual(["2", "3", "4"]);
  expect(table.rows.get("2")?.close).toBe(1.3);
});

test("an unchanged OCO group is not a change after a reconnect", async () => {
  await using server = await TradingServer.start();
  server.tables.OCO.set("1", { t: 4, ocoBulkId: 1, accountId: "1537581", orderIds: ["6", "7"] });
  await using client = await connect(server);
  const { rows } = await client.subscribeTable("OCO");
  const group = rows.get("1");
  server.dropConnections();
  const { tables } = await nextEvent(client, "reconnected");
  expect(tables.get("OCO")).toEqual({ inserted: 0, updated: 0, deleted: 0 });
  server.change("OCO", "U", { t: 4, ocoBulkId: 1, orderIds: ["7"] });
  const { changed } = await nextEvent(client, "OCO");
  expect(changed).toEqual({ orderIds: ["7"] });
  expect(group?.orderIds).toEqual(["6", "7"]);
});

test("pushes while the tables are reread are not lost", async () => {
  await using server = await TradingServer.start();
  await using client = await connect(server);
  const table = await client.subscribeTable("Order");
  let isFirst = true;
  server.answer("/trading/get_model", () => {
    // Both are pushed before the snapshot is answered; the first is already in it.
    if (isFirst) server.change("Order", "I", orderRecord({ orderId: "7", status: 1 }));
    const rows = [...server.tables.Order.values()];
    if (isFirst) server.change("Order", "U", { t: 3, orderId: "7", status: 2 });
    isFirst = false;
    return executed({ orders: rows });
  });
  server.dropConnections();
  await nextEvent(client, "reconnected");
  await waitFor(() => table.rows.get("7")?.status === 2, "the update");
});

test("a call made without a connection waits for the next one", async () => {
  await using server = await TradingServer.start();
  await using client = await connect(server);
  server.handshakeStatus = 400;
  const failed = nextEvent(client, "reconnectFailed");
  server.dropConnections();
  await expect(failed).resolves.toMatchObject({ attempt: 1, error: expect.any(Error) });
  const snapshot = client.snapshot("Account");
  server.handshakeStatus = null;
  await expect(snapshot).resolves.toEqual([]);
});

test("a call that gets no connection fails at its time-out and says why", async () => {
  await using server = await TradingServer.start();
  await using client = await connect(server);
  server.handshakeStatus = 400;
  const failed = nextEvent(client, "reconnectFailed");
  server.dropConnections();
  await failed;
  const call = client.snapshot("Account", { timeoutMs: 20 });
  await expect(call).rejects.toBeInstanceOf(NotConnectedError);
  await expect(call).rejects.toMatchObject({
    reason: "timeout",
    cause: expect.objectContaining({ message: expect.stringContaining("answered 400") }),
  });
  const controller = new AbortController();
  const aborted = client.snapshot("Account", { signal: controller.signal });
  controller.abort("no more");
  await expect(aborted).rejects.toBe("no more");
});

test("a token that is no longer accepted closes the client", async () => {
  await using server = await TradingServer.start();
  await using client = await connect(server);
  const prices = client.prices(["EUR/USD"]).next();
  const closed = nextEvent(client, "closed");
  server.handshakeStatus = 403;
  server.dropConnections();
  const { error } = await closed;
  expect(error).toMatchObject({ name: "NotConnectedError", reason: "refused" });
  expect(client.state).toBe("closed");
  await expect(prices).rejects.toBe(error);
  await expect(client.instruments()).rejects.toBe(error);
});

test("a connection whose subscriptions cannot be renewed is dropped for the next", async () => {
  await using server = await TradingServer.start();
  await using client = await connect(server);
  const table = await client.subscribeTable("Order");
  server.answer("/trading/subscribe", () => ({ status: 404, body: "not found" }));
  const failed = nextEvent(client, "reconnectFailed");
  server.dropConnections();
  expect((await failed).error).toBeInstanceOf(ApiError);
  expect(client.state).toBe("reconnecting");
  server.tables.Order.set("5", orderRecord({ orderId: "5" }));
  const reconnected = nextEvent(client, "reconnected");
  server.answer("/trading/subscribe", null);
  await reconnected;
  expect([...table.rows.keys()]).toEqual(["5"]);
});

test("when the server forgets the connection, reads go on over a new one", async () => {
  await using server = await TradingServer.start();
  await using client = await connect(server);
  const forgotten = client.connectionId;
  server.forget();
  await expect(client.snapshot("Account")).resolves.toEqual([]);
  expect(client.connectionId).not.toBe(forgotten);
});

test("a connection lost during the first snapshot does not fail the call", async () => {
  await using server = await TradingServer.start();
  await using client = await connect(server);
  server.tables.Order.set("5", orderRecord({ orderId: "5" }));
  server.answer("/trading/get_model", () => {
    server.answer("/trading/get_model", null);
    server.cut();
    return "hang";
  });
  const table = await client.subscribeTable("Order");
  expect([...table.rows.keys()]).toEqual(["5"]);
  server.change("Order", "D", { orderId: "5" });
  await waitFor(() => table.rows.size === 0, "the push");
});
