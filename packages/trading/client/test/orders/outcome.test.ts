import { waitFor } from "@proj/test-kit";
import { NotConnectedError, OutcomeUnknownError } from "@proj/trading-client";
import { expect, test } from "vitest";
import { connect } from "../server/connect.ts";
import { nextEvent } from "../server/events.ts";
import { type Handler, ordered } from "../server/recorded-answers.ts";
import { TradingServer } from "../server/trading-server.ts";

const order = { account_id: "1027808", symbol: "EUR/USD", is_buy: true, amount: 10 };
const path = "/trading/open_trade";

test.each<[string, Handler]>([
  ["the connection breaks", () => "reset"],
  ["the server fails", () => ({ status: 502, body: "" })],
  ["the answer cannot be read", () => ({ body: "<html>" })],
  ["the answer has no order id", () => ({ body: { response: { executed: true }, data: {} } })],
  ["no answer comes in time", () => "hang"],
])("if %s, the outcome is unknown and the order is sent once", async (what, handler) => {
  await using server = await TradingServer.start();
  server.answer(path, handler);
  await using client = await connect(server, {
    timeoutMs: what === "no answer comes in time" ? 1000 : 30_000,
  });
  const failed = client.placeMarketOrder(order);
  await expect(failed).rejects.toBeInstanceOf(OutcomeUnknownError);
  await expect(failed).rejects.toMatchObject({ request: `POST ${path}`, cause: expect.anything() });
  expect(server.requestsTo(path)).toHaveLength(1);
});

test("an order is not resent when everything breaks during it", async () => {
  await using server = await TradingServer.start();
  server.answer(path, () => {
    server.cut();
    return "hang";
  });
  await using client = await connect(server);
  const reconnected = nextEvent(client, "reconnected");
  await expect(client.openTrade(order)).rejects.toBeInstanceOf(OutcomeUnknownError);
  await reconnected;
  await client.snapshot("Order");
  expect(server.requestsTo(path)).toHaveLength(1);
});

test("an order's answer counts when only the stream breaks during it", async () => {
  await using server = await TradingServer.start();
  const answer = Promise.withResolvers<void>();
  server.answer(path, async () => {
    await answer.promise;
    return ordered(7);
  });
  await using client = await connect(server);
  const placed = client.openTrade(order);
  await waitFor(() => server.requestsTo(path).length === 1, "the order");
  const reconnected = nextEvent(client, "reconnected");
  server.dropConnections();
  await reconnected;
  answer.resolve();
  expect(await placed).toEqual({ orderId: "7" });
});

test("aborting an order in flight makes its outcome unknown", async () => {
  await using server = await TradingServer.start();
  server.answer(path, () => "hang");
  await using client = await connect(server);
  const controller = new AbortController();
  const placed = client.openTrade(order, { signal: controller.signal });
  await waitFor(() => server.requestsTo(path).length === 1, "the order");
  const reason = new Error("enough");
  controller.abort(reason);
  await expect(placed).rejects.toBeInstanceOf(OutcomeUnknownError);
  await expect(placed).rejects.toMatchObject({ cause: reason });
});

test("aborting an order before it is sent gives just the abort", async () => {
  await using server = await TradingServer.start();
  await using client = await connect(server);
  const reason = new Error("enough");
  const placed = client.placeMarketOrder(order, { signal: AbortSignal.abort(reason) });
  await expect(placed).rejects.toBe(reason);
  expect(server.requests).toEqual([]);
});

test("closing during an order makes its outcome unknown", async () => {
  await using server = await TradingServer.start();
  server.answer(path, () => "hang");
  await using client = await connect(server);
  const placed = client.openTrade(order);
  await waitFor(() => server.requestsTo(path).length === 1, "the order");
  await client.close();
  await expect(placed).rejects.toBeInstanceOf(OutcomeUnknownError);
});

test("an order over a connection the server has forgotten is not placed and not resent", async () => {
  await using server = await TradingServer.start();
  server.answer(path, () => ordered(7));
  await using client = await connect(server);
  await client.openTrade(order);
  server.forget();
  const reconnected = nextEvent(client, "reconnected");
  const failed = client.openTrade(order);
  await expect(failed).rejects.toBeInstanceOf(NotConnectedError);
  await expect(failed).rejects.toMatchObject({ reason: "ended", cause: { status: 401 } });
  await reconnected;
  expect(server.requestsTo(path)).toHaveLength(2);
  expect(await client.openTrade(order)).toEqual({ orderId: "7" });
});
