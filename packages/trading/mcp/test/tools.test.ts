import { expect, test } from "vitest";
import { accountId, serveTrading } from "./traded.ts";

const order = { symbol: "EUR/USD", is_buy: true, amount: 10 };

test("every tool has input and output schemas and says whether it changes anything", async () => {
  await using trading = await serveTrading();
  const { tools } = await trading.agent.client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual([
    "change_order",
    "close_all_trades",
    "close_trade",
    "delete_order",
    "get_account",
    "get_candles",
    "get_quotes",
    "list_closed_positions",
    "list_orders",
    "list_positions",
    "open_trade",
    "place_entry_order",
    "reconcile",
    "set_stop_limit",
  ]);
  for (const { name, description, inputSchema, outputSchema, annotations } of tools) {
    expect([name, description?.length]).toEqual([name, expect.any(Number)]);
    expect([name, inputSchema.type, outputSchema?.type]).toEqual([name, "object", "object"]);
    expect(annotations?.readOnlyHint).toBe(/^(get|list|reconcile)/.test(name));
  }
});

test("quotes and candles match the market's", async () => {
  await using trading = await serveTrading();
  const { agent, broker } = trading;
  const { value } = await agent.call("get_quotes", { symbols: ["USD/JPY", "EUR/USD"] });
  const offers = broker.market.snapshot("Offer");
  const euro = offers.find(({ currency }) => currency === "EUR/USD");
  expect(value.quotes.map(({ symbol }: { symbol: string }) => symbol).sort()).toEqual([
    "EUR/USD",
    "USD/JPY",
  ]);
  expect(value.quotes).toContainEqual(
    expect.objectContaining({ symbol: "EUR/USD", bid: euro?.sell, ask: euro?.buy, pip: 0.0001 }),
  );
  const all = await agent.call("get_quotes");
  expect(all.value.quotes).toHaveLength(offers.length);
  const candles = await agent.call("get_candles", { symbol: "EUR/USD", period_id: "m5", num: 12 });
  expect(candles.value.candles).toHaveLength(12);
  expect(candles.value.candles.at(-1).close).toBe(euro?.sell);
});

test("a trade is opened, protected, and closed in part and in full", async () => {
  await using trading = await serveTrading();
  const { agent } = trading;
  const opened = await agent.call("open_trade", { ...order, stop: -30, is_in_pips: true });
  expect(opened.value).toMatchObject({ status: "executed", is_reconciled: false });
  const [trade_id] = opened.value.trade_ids;
  const { positions } = (await agent.call("list_positions")).value;
  expect(positions).toMatchObject([{ trade_id, symbol: "EUR/USD", amount: 10, limit: null }]);
  expect(positions[0].stop).toBeCloseTo(positions[0].open_rate - 0.003, 6);
  const { value: set } = await agent.call("set_stop_limit", { trade_id, stop: 0, limit: 1.9 });
  expect(set).toEqual({ trade_id, stop: null, limit: 1.9 });
  const part = await agent.call("close_trade", { trade_id, amount: 4 });
  expect(part.value).toMatchObject({ status: "executed" });
  const rest = await agent.call("close_all_trades", { symbol: "EUR/USD" });
  expect(rest.value.orders).toMatchObject([{ status: "executed" }]);
  expect((await agent.call("list_positions")).value.positions).toEqual([]);
  const closed = (await agent.call("list_closed_positions")).value.positions;
  expect(closed.map(({ amount }: { amount: number }) => amount).sort()).toEqual([4, 6]);
  const account = (await agent.call("get_account")).value;
  expect(account).toMatchObject({ account_id: accountId, margin_state: "none", used_margin: 0 });
});

test("an entry order is placed, changed and deleted", async () => {
  await using trading = await serveTrading();
  const { agent } = trading;
  const placed = await agent.call("place_entry_order", { ...order, rate: 0.9 });
  const { order_id } = placed.value;
  const changed = await agent.call("change_order", { order_id, rate: 0.91 });
  expect(changed.value).toMatchObject({ order_id, type: "LE", status: "waiting", rate: 0.91 });
  expect((await agent.call("list_orders")).value.orders).toMatchObject([{ order_id, rate: 0.91 }]);
  expect((await agent.call("delete_order", { order_id })).value).toEqual({ order_id });
  expect((await agent.call("list_orders")).value.orders).toEqual([]);
});

test("errors say what is wrong and have codes", async () => {
  await using trading = await serveTrading();
  const { agent } = trading;
  const refused = await agent.call("open_trade", { ...order, amount: 1_000_000_000 });
  expect(refused).toMatchObject({ isError: true, value: { error: { code: "refused" } } });
  expect(refused.value.error.refusal_code).toEqual(expect.any(Number));
  const nowhere = await agent.call("get_quotes", { symbols: ["EUR/XXX"] });
  expect(nowhere.value.error).toMatchObject({ code: "not_found" });
  expect(nowhere.value.error.message).toContain("USD/JPY");
  const form = await agent.call("open_trade", { ...order, symbol: "EURUSD" });
  expect(form.value.error).toMatchObject({ code: "invalid_request", field: "symbol" });
  const trade = await agent.call("close_trade", { trade_id: "7" });
  expect(trade.value.error).toMatchObject({ code: "not_found" });
  const account = await agent.call("get_account", { account_id: "5" });
  expect(account.value.error.message).toContain("2000");
  const schema = await agent.call("open_trade", { symbol: "EUR/USD" });
  expect(schema).toMatchObject({ isError: true });
  expect(schema.value.error.message).toMatch(/is_buy/);
  const nothing = await agent.call("reconcile", { request_id: "1" });
  expect(nothing.value.error).toMatchObject({ code: "not_found" });
});

test("a server for one account neither shows nor touches another", async () => {
  await using trading = await serveTrading({ account_id: "2000" });
  const { agent, broker } = trading;
  const terms = { order_type: "AtMarket", time_in_force: "GTC" } as const;
  broker.market.execute("open_trade", { ...order, account_id: accountId, ...terms });
  const [foreign] = broker.market.snapshot("OpenPosition");
  expect((await agent.call("list_positions")).value.positions).toEqual([]);
  const closing = await agent.call("close_trade", { trade_id: foreign?.tradeId });
  expect(closing.value.error.code).toBe("not_found");
  const other = await agent.call("open_trade", { ...order, account_id: accountId });
  expect(other.value.error.code).toBe("not_allowed");
  await agent.call("open_trade", order);
  const accounts = broker.market.snapshot("OpenPosition").map((row) => row.accountId);
  expect(accounts.sort()).toEqual([accountId, "2000"].sort());
  await agent.call("close_all_trades");
  expect(broker.market.snapshot("OpenPosition")).toMatchObject([{ accountId }]);
});

test("an order that has not executed yet is reported as pending", async () => {
  await using trading = await serveTrading(
    { executionTimeoutMs: 1 },
    { fill_model: { latency_ms: 300 } },
  );
  const { agent, broker } = trading;
  const { value } = await agent.call("open_trade", order);
  expect(value).toMatchObject({ status: "pending", trade_ids: [] });
  broker.market.advanceTo(broker.market.now + 1000);
  const { positions } = (await agent.call("list_positions")).value;
  expect(positions).toMatchObject([{ order_id: value.order_id }]);
});
