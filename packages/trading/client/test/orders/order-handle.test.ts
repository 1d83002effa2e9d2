import { waitFor } from "@proj/test-kit";
import { expect, test } from "vitest";
import { connect } from "../server/connect.ts";
import { nextEvent } from "../server/events.ts";
import { ordered } from "../server/recorded-answers.ts";
import { orderRecord } from "../server/records.ts";
import { TradingServer } from "../server/trading-server.ts";

const order = { account_id: "1027808", symbol: "EUR/USD", is_buy: true, amount: 10 };
const orderId = "390285837";

async function startServer(): Promise<TradingServer> {
  const server = await TradingServer.start();
  server.answer("/trading/open_trade", () => ordered(Number(orderId)));
  server.answer("/trading/create_entry_order", () => ordered(Number(orderId)));
  return server;
}

/** Pushes a fill. */
function fill(server: TradingServer, tradeId: string, id: string = orderId): void {
  server.change("Order", "U", { t: 3, orderId: id, tradeId, status: 6 });
}

test("a handle has the order id at once, and trade ids as they arrive until the order ends", async () => {
  await using server = await startServer();
  await using client = await connect(server);
  const handle = await client.placeMarketOrder(order);
  expect(handle.orderId).toBe(orderId);
  expect(handle.tradeIds).toEqual([]);
  expect(handle.outcome).toBeNull();

  const trades = handle.trades();
  const first = trades.next();
  server.change("Order", "I", orderRecord({ orderId }));
  fill(server, "170162801");
  expect(await first).toEqual({ done: false, value: "170162801" });
  expect(handle.outcome).toBeNull();
  fill(server, "170162802");
  server.change("Order", "D", { t: 3, orderId, status: 9 });

  const outcome = { orderId, tradeIds: ["170162801", "170162802"], isComplete: true, status: 9 };
  expect(await handle.ended()).toMatchObject(outcome);
  expect(handle.outcome).toMatchObject(outcome);
  expect(await trades.next()).toEqual({ done: false, value: "170162802" });
  expect(await trades.next()).toEqual({ done: true, value: undefined });
  const again: string[] = [];
  for await (const tradeId of handle.trades()) again.push(tradeId);
  expect(again).toEqual(outcome.tradeIds);
});

test("pushes before the answer count; pushes of other orders do not", async () => {
  await using server = await startServer();
  await using client = await connect(server);
  server.answer("/trading/open_trade", async () => {
    server.change("Order", "I", orderRecord({ orderId: "5" }));
    server.change("Order", "I", orderRecord({ orderId }));
    fill(server, "51", "5");
    fill(server, "61");
    server.change("Order", "D", { orderId, status: 9 });
    await waitFor(() => server.tables.Order.size === 1, "the pushes");
    await client.snapshot("Order");
    return ordered(Number(orderId));
  });
  const handle = await client.placeMarketOrder(order);
  const outcome = { orderId, tradeIds: ["61"], isComplete: true, status: 9 };
  expect(await handle.ended()).toMatchObject(outcome);
});

test("duplicated pushes do not double trades", async () => {
  await using server = await startServer();
  await using client = await connect(server);
  server.copies = 2;
  const handle = await client.placeMarketOrder(order);
  server.change("Order", "I", orderRecord({ orderId }));
  fill(server, "1");
  fill(server, "2");
  fill(server, "1");
  server.change("Order", "D", { orderId, status: 9 });
  expect(await handle.ended()).toMatchObject({ tradeIds: ["1", "2"], isComplete: true });
});

test("an entry order ends when it executes, or is canceled without a trade", async () => {
  await using server = await startServer();
  await using client = await connect(server);
  const handle = await client.placeEntryOrder({ ...order, rate: 1.3 });
  server.change("Order", "I", orderRecord({ orderId, type: "SE", isEntryOrder: true, status: 1 }));
  server.change("Order", "D", { orderId, status: 3 });
  expect(await handle.ended()).toMatchObject({
    orderId,
    tradeIds: [],
    isComplete: true,
    status: 3,
  });
});

test("a client's orders share one subscription", async () => {
  await using server = await startServer();
  await using client = await connect(server);
  await Promise.all([client.placeMarketOrder(order), client.placeMarketOrder(order)]);
  expect(server.requestsTo("/trading/subscribe")).toHaveLength(1);
});

test("waiting for the end has a time-out and a signal", async () => {
  await using server = await startServer();
  await using client = await connect(server);
  const handle = await client.placeMarketOrder(order);
  const late = handle.ended({ timeoutMs: 5 });
  await expect(late).rejects.toMatchObject({ name: "TimeoutError" });
  await expect(late).rejects.toThrow(`The order ${orderId} did not end within 5 ms`);
  const reason = new Error("enough");
  await expect(handle.ended({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const controller = new AbortController();
  const next = handle.trades({ signal: controller.signal }).next();
  controller.abort(reason);
  await expect(next).rejects.toBe(reason);
});

test("closing fails waits for an order; unsubscribing the table ends it incomplete", async () => {
  await using server = await startServer();
  await using client = await connect(server);
  const followed = await client.placeMarketOrder(order);
  await client.unsubscribeTable("Order");
  const incomplete = { orderId, tradeIds: [], isComplete: false, status: null };
  expect(await followed.ended()).toMatchObject(incomplete);

  const handle = await client.placeMarketOrder(order);
  const ended = handle.ended();
  const next = handle.trades().next();
  await client.close();
  await expect(ended).rejects.toMatchObject({ name: "NotConnectedError", reason: "closed" });
  await expect(next).rejects.toMatchObject({ reason: "closed" });
  await expect(handle.trades().next()).rejects.toMatchObject({ reason: "closed" });
});

test("an order placed while disconnected is sent after reconnecting", async () => {
  await using server = await startServer();
  await using client = await connect(server);
  const disconnected = nextEvent(client, "disconnected");
  server.dropConnections();
  await disconnected;
  expect((await client.placeMarketOrder(order)).orderId).toBe(orderId);
});
