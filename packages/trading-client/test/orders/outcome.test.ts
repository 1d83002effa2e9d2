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
])("where %s, the outcome is unknown, and the order is sent once", async (what, handler) => {
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

test("everything breaks while an order is under way: it is not sent again", async () => {
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

test("only the stream breaks while an order is under way: its answer still counts", async () => {
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

test("an abort while an order is under way is an unknown outcome as well", async () => {
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

test("an abort before an order is sent is just the abort", async () => {
  await using server = await TradingServer.start();
  await using client = await connect(server);
  const reason = new Error("enough");
  const placed = client.placeMarketOrder(order, { signal: AbortSignal.abort(reason) });
  await expect(placed).rejects.toBe(reason);
  expect(server.requests).toEqual([]);
});

test("close while an order is under way is an unknown outcome", async () => {
  await using server = await TradingServer.start();
  server.answer(path, () => "hang");
  await using client = await connect(server);
  const placed = client.openTrade(order);
  await waitFor(() => server.requestsTo(path).length === 1, "the order");
  await client.close();
  await expect(placed).rejects.toBeInstanceOf(OutcomeUnknownError);
});

test("an order over a connection that the server has forgotten was not placed, nor is it again", async () => {
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
