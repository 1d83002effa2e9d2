import { startTcpProxy } from "@proj/test-kit";
import {
  type CallOptions,
  connectTrading,
  OutcomeUnknownError,
  type TradingClient,
} from "@proj/trading-client";
import { expect, test } from "vitest";
import type { PaperBrokerConfig } from "../../src/index.ts";
import { lossyNetwork } from "./lossy-network.ts";
import { accountId, connectBot, serveBroker, token } from "./served-broker.ts";

const order = { account_id: accountId, symbol: "EUR/USD", is_buy: true, amount: 6 };
const accounts = [{ account_id: accountId, balance: 10_000, hedging: true }];

/** The error of an order without an answer. */
async function unknown(call: Promise<unknown>): Promise<OutcomeUnknownError> {
  const error: unknown = await call.catch((thrown: unknown) => thrown);
  if (error instanceof OutcomeUnknownError) return error;
  throw new Error(`not unknown: ${error}`);
}

async function trading(config: Partial<PaperBrokerConfig> = {}) {
  const broker = await serveBroker(config);
  const proxy = await startTcpProxy(Number(new URL(broker.url).port));
  const url = `http://127.0.0.1:${proxy.port}`;
  const client = await connectTrading({ url, token, reconnectMinDelayMs: 5 });

  /** Makes a call that the server executes but whose answer is lost. */
  async function lost(call: (options: CallOptions) => Promise<unknown>) {
    const end = broker.market.subscribe({
      changes: () => {
        proxy.cut();
        proxy.mend();
      },
    });
    return unknown(call({})).finally(end);
  }

  const dispose = async () => {
    await client.close();
    await proxy[Symbol.asyncDispose]();
    await broker.close();
  };
  return { broker, client, lost, [Symbol.asyncDispose]: dispose };
}

const tradeIds = async (client: TradingClient) =>
  (await client.snapshot("OpenPosition")).map(({ tradeId }) => tradeId);

test("an executed order is found with its trades", async () => {
  await using market = await trading();
  const { client, lost } = market;
  const error = await lost((options) => client.openTrade(order, options));
  const [row] = await client.snapshot("OpenPosition");
  expect(await client.reconcile(error)).toMatchObject({
    outcome: "executed",
    orderIds: [row?.orderId],
    tradeIds: [row?.tradeId],
    orders: [{ amount: 6, rate: row?.open, grossPL: null }],
  });
  // A second lost order is told apart from the first, and both from answered ones.
  await client.openTrade(order);
  const second = await lost((options) => client.placeMarketOrder(order, options));
  expect(await client.reconcile(second)).toMatchObject({
    outcome: "executed",
    tradeIds: [(await tradeIds(client)).at(-1)],
  });
});

test("an order that only closes opposite trades is found through them", async () => {
  await using market = await trading();
  const { client, lost } = market;
  await client.openTrade(order);
  const [trade = ""] = await tradeIds(client);
  const error = await lost((options) => client.openTrade({ ...order, is_buy: false }, options));
  expect(await client.reconcile(error)).toMatchObject({ outcome: "executed", tradeIds: [trade] });
});

test("entry orders, OCO pairs and partial and full closes are found", async () => {
  await using market = await trading({ accounts });
  const { client, lost } = market;
  const entry = await lost((options) =>
    client.createEntryOrder({ ...order, rate: 1.02, stop: -20, is_in_pips: true }, options),
  );
  expect(await client.reconcile(entry)).toMatchObject({ outcome: "executed", tradeIds: [] });
  const pair = await lost((options) =>
    client.simpleOco({ ...order, rate: 1.3, is_buy2: false, rate2: 1.02 }, options),
  );
  const { outcome, orderIds } = await client.reconcile(pair);
  expect([outcome, orderIds.length]).toEqual(["executed", 2]);
  await client.openTrade({ ...order, stop: -30, is_in_pips: true });
  const [trade_id = ""] = await tradeIds(client);
  const part = await lost((options) => client.closeTrade({ trade_id, amount: 2 }, options));
  expect(await client.reconcile(part)).toMatchObject({ outcome: "executed" });
  const whole = await lost((options) => client.closeTrade({ trade_id }, options));
  expect(await client.reconcile(whole)).toMatchObject({ outcome: "executed" });
  for (const symbol of ["EUR/USD", "USD/JPY"]) await client.openTrade({ ...order, symbol });
  const all = await lost((options) =>
    client.closeAllForSymbol(
      { account_id: accountId, forSymbol: false, symbol: "EUR/USD" },
      options,
    ),
  );
  const closings = await client.reconcile(all);
  expect([closings.outcome, closings.orderIds.length]).toEqual(["executed", 2]);
  expect(await client.snapshot("OpenPosition")).toEqual([]);
});

test("an order that never arrived is not executed, and is refused if it arrives later", async () => {
  await using broker = await serveBroker();
  await using network = await lossyNetwork(broker.url);
  let late = "";
  network.lose = (post) => {
    if (!post.startsWith("POST /trading/open_trade")) return null;
    late = post.slice(post.indexOf("\r\n\r\n") + 4);
    return "request";
  };
  await using client = await connectTrading({ url: network.url, token });
  const error = await unknown(client.openTrade(order));
  const nothing = { outcome: "not_executed", orders: [], orderIds: [], tradeIds: [] };
  expect(await client.reconcile(error)).toEqual(nothing);
  await using bot = await connectBot(broker.url);
  const fields = Object.fromEntries(new URLSearchParams(late));
  const { body } = await bot.post("/trading/open_trade", fields);
  expect(body).toMatchObject({ response: { executed: false }, code: 35 });
  expect(broker.market.snapshot("OpenPosition")).toEqual([]);
});

test("other orders of the same fields change nothing where the server keeps request ids", async () => {
  await using market = await trading({ accounts });
  const { broker, client, lost } = market;
  const error = await lost((options) => client.openTrade(order, options));
  const [mine] = broker.market.snapshot("OpenPosition");
  const terms = { order_type: "AtMarket", time_in_force: "GTC" } as const;
  broker.market.execute("open_trade", { ...order, ...terms });
  expect(await client.reconcile(error)).toMatchObject({
    ...{ outcome: "executed", orderIds: [mine?.orderId], tradeIds: [mine?.tradeId] },
  });
});

test("what an order did is known after the trading day, when the tables have forgotten it", async () => {
  await using market = await trading();
  const { broker, client, lost } = market;
  await client.openTrade(order);
  const [trade = ""] = await tradeIds(client);
  const error = await lost((options) => client.openTrade({ ...order, is_buy: false }, options));
  broker.market.advanceTo(Date.parse("2026-01-12T22:00:00Z"));
  expect(await client.snapshot("ClosedPosition")).toEqual([]);
  expect(await client.reconcile(error)).toMatchObject({ outcome: "executed", tradeIds: [trade] });
  const [closed] = await client.closedPositions();
  expect(closed).toMatchObject({ tradeId: trade, amountK: 6 });
});

test("a client's tag is in tables and transactions, and need not be unique", async () => {
  await using market = await trading();
  const { client } = market;
  const tagged = { ...order, client_tag: "trend follower" };
  const first = await client.placeMarketOrder(tagged);
  await client.placeMarketOrder(tagged);
  expect(await client.snapshot("OpenPosition")).toMatchObject([
    { client_tag: "trend follower" },
    { client_tag: "trend follower" },
  ]);
  const close_client_tag = "end of the trend";
  for (const trade_id of await tradeIds(client))
    await client.closeTrade({ trade_id, client_tag: close_client_tag });
  const both = { client_tag: "trend follower", close_client_tag };
  expect(await client.snapshot("ClosedPosition")).toMatchObject([both, both]);
  const { transactions } = await client.transactions({ client_tag: "trend follower" });
  expect(transactions.map(({ type, orderId }) => `${type} ${orderId === first.orderId}`)).toEqual([
    ...["order_placed true", "trade_opened true", "order_executed true"],
    ...["order_placed false", "trade_opened false", "order_executed false"],
  ]);
  const { transactions: later, last_id } = await client.transactions({
    since: transactions.at(-1)?.id ?? 0,
  });
  expect(later.map(({ type }) => type)).toContain("trade_closed");
  expect(later.at(-1)?.id).toBe(last_id);
  const refused = client.openTrade({ ...order, client_tag: "a\nb" });
  await expect(refused).rejects.toMatchObject({ code: 28 });
});

test("requests that set values are repeatable; errors of other clients are refused", async () => {
  await using market = await trading();
  const { client, lost } = market;
  await client.openTrade(order);
  const [trade_id = ""] = await tradeIds(client);
  const error = await lost((options) =>
    client.changeTradeStopLimit({ trade_id, is_stop: true, rate: 1.02 }, options),
  );
  expect((await client.reconcile(error)).outcome).toBe("repeatable");
  const foreign = new OutcomeUnknownError("POST /trading/open_trade", "no answer");
  await expect(client.reconcile(foreign)).rejects.toThrow(TypeError);
});

test("a closing order's handle reports amount, rate and profit at its end", async () => {
  await using market = await trading({ fill_model: { latency_ms: 300 }, accounts });
  const { broker, client } = market;
  const pass = () => broker.market.advanceTo(broker.market.now + 1000);
  for (const symbol of ["EUR/USD", "EUR/USD", "USD/JPY"])
    await client.openTrade({ ...order, symbol });
  pass();
  const [trade_id = ""] = await tradeIds(client);
  const closing = await client.placeClosing({ trade_id, amount: 2 });
  const ended = closing.ended();
  pass();
  const [closed] = broker.market.snapshot("ClosedPosition");
  expect(await ended).toMatchObject({
    ...{ orderId: closing.orderId, amount: 2, isComplete: true, status: 9 },
    ...{ rate: closed?.close, grossPL: closed?.grossPL, tradeIds: [trade_id] },
  });
  broker.market.advanceTo(Date.parse("2026-01-12T22:00:00Z"));
  expect(await closing.ended()).toMatchObject({ amount: 2, grossPL: closed?.grossPL });
  const closings = await client.placeClosings({
    account_id: accountId,
    forSymbol: false,
    symbol: "EUR/USD",
  });
  const all = Promise.all(closings.map((handle) => handle.ended()));
  pass();
  expect((await all).map(({ amount, closed: rows }) => [amount, rows.length])).toEqual([
    [10, 2],
    [6, 1],
  ]);
});
