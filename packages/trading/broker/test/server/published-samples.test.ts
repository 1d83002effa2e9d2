import { within } from "@proj/test-kit";
import { expect, test } from "vitest";
import type { PaperBrokerConfig } from "../../src/index.ts";
import { accountId, advance, connectBot, serveBroker } from "./served-broker.ts";

// The calls of the provider's published samples and of the best-known wrapper, one by one.

async function session(config: Partial<PaperBrokerConfig> = {}) {
  const broker = await serveBroker(config);
  const bot = await connectBot(broker.url);
  const done = async (path: string, fields: Parameters<typeof bot.post>[1] = {}) => {
    const { status, body } = await bot.post(path, fields);
    expect([status, body.response]).toEqual([200, { executed: true, error: "" }]);
    return Object(body.data);
  };
  const rows = async (models: string, member: string) => {
    const { body } = await bot.get("/trading/get_model", { models });
    return [body[member]].flat().map(Object);
  };
  const dispose = async () => {
    await bot[Symbol.asyncDispose]();
    await broker.close();
  };
  return { broker, bot, done, rows, [Symbol.asyncDispose]: dispose };
}

test("the sample's first steps read all account ids and a totals row with an empty id", async () => {
  await using market = await session();
  const accounts = await market.rows("Account", "accounts");
  expect(accounts.map((row) => row.accountId)).toEqual([accountId, ""]);
  await market.done("/trading/open_trade", {
    ...{ account_id: accountId, symbol: "EUR/USD", is_buy: true, amount: 1 },
    ...{ stop: -20, is_in_pips: true },
  });
  await market.done("/trading/open_trade", {
    ...{ account_id: accountId, symbol: "EUR/USD", is_buy: false, amount: 1 },
  });
  await market.done("/trading/open_trade", {
    ...{ account_id: accountId, symbol: "EUR/USD", is_buy: true, amount: 1 },
    ...{ stop: -20, is_in_pips: true },
  });
  const last = async (model: string, member: string) => (await market.rows(model, member)).at(-1);
  const none = { isTotal: true, accountName: "", currency: "" };
  const position = { ...none, accountId: "", tradeId: "", orderId: "", time: "" };
  expect(await last("OpenPosition", "open_positions")).toMatchObject(position);
  expect(await last("ClosedPosition", "closed_positions")).toMatchObject({ ...none, tradeId: "" });
  const order = { ...none, accountId: "", orderId: "", tradeId: "", type: "" };
  expect(await last("Order", "orders")).toMatchObject(order);
  expect(await last("Summary", "summary")).toMatchObject({ isTotal: true, currency: "" });
});

test("commands work as printed, without order_type or without time_in_force", async () => {
  await using market = await session();
  const { done, rows } = market;
  const trade = { account_id: accountId, symbol: "EUR/USD", is_buy: "True", amount: 3 };
  await done("/trading/open_trade", { ...trade, rate: 0, at_market: 0, time_in_force: "GTC" });
  const [{ tradeId: trade_id }] = await rows("OpenPosition", "open_positions");
  const closing = { trade_id, rate: 0, amount: 1, at_market: 0, time_in_force: "GTC" };
  await done("/trading/close_trade", closing);
  await done("/trading/create_entry_order", { ...trade, rate: 1.05, is_in_pips: 0 });
  // The command-line sample sends a market order's type here.
  const entry = { ...trade, rate: 1.05, order_type: "AtMarket", time_in_force: "GTC" };
  await done("/trading/create_entry_order", entry);
  const oco = {
    ...trade,
    rate: 1.3,
    is_buy2: "False",
    rate2: 1.02,
    expiration: "",
    order_type: "",
  };
  await done("/trading/simple_oco", oco);
  const terms = (await rows("Order", "orders")).map((row) => [row.type, row.timeInForce]);
  const resting = ["SE", "GTC"];
  expect(terms).toEqual([["LE", "GTC"], ["LE", "GTC"], resting, resting, ["", ""]]);
  await done("/trading/close_all_for_symbol", {
    ...{ account_id: accountId, forSymbol: "True", symbol: "EUR/USD" },
  });
  expect(await rows("OpenPosition", "open_positions")).toMatchObject([{ isTotal: true }]);
});

test.each([
  [{ trailing_step: 10 }, 10],
  [{ trailing_step: 10, trailing_stop_step: 0 }, 10],
  [{ trailing_step: 0, trailing_stop_step: 10 }, 10],
  [{ trailing_step: 1, trailing_stop_step: 1 }, 1],
  [{ trailing_step: 0, trailing_stop_step: 0 }, 0],
])("the wrapper sends two names for the trailing step: %j is %d", async (names, step) => {
  await using market = await session();
  const second = Object.entries(names).map(([name, value]) => [`${name}2`, value]);
  const legs = await market.done("/trading/simple_oco", {
    ...{ account_id: accountId, symbol: "EUR/USD", amount: 1, time_in_force: "GTC" },
    ...{ is_in_pips: true, is_buy: true, rate: 1.05, stop: -20, is_buy2: false, rate2: 1.2 },
    ...{ stop2: 20, ...names, ...Object.fromEntries(second) },
  });
  expect(legs).toHaveLength(2);
  const moves = (await market.rows("Order", "orders")).map((row) => row.stopMove);
  expect(moves).toEqual([step, step, undefined]);
});

test("two different trailing steps are refused, and nothing is placed", async () => {
  await using market = await session();
  const { body } = await market.bot.post("/trading/open_trade", {
    ...{ account_id: accountId, symbol: "EUR/USD", is_buy: true, amount: 1, stop: -20 },
    ...{ is_in_pips: true, trailing_step: 10, trailing_stop_step: 12 },
  });
  expect(body).toMatchObject({ code: 28, parameters: ["trailing_stop_step", "12"] });
  expect(await market.rows("OpenPosition", "open_positions")).toHaveLength(1);
});

test("unsubscribing returns the names whose listeners the sample removes", async () => {
  await using market = await session();
  const pairs = ["EUR/USD", "USD/JPY"];
  await market.bot.post("/subscribe", { pairs });
  expect((await market.bot.post("/unsubscribe", { pairs })).body.pairs).toEqual(pairs);
});

test("offers keep their places when one is hidden and shown again", async () => {
  await using market = await session();
  const symbols = async () => (await market.rows("Offer", "offers")).map((row) => row.currency);
  const before = await symbols();
  for (const visible of [false, true])
    await market.bot.post("/trading/update_subscriptions", { symbol: "EUR/USD", visible });
  expect(await symbols()).toEqual(before);
});

test("permissions are returned, and changing the password is refused", async () => {
  await using market = await session();
  const { bot } = market;
  const { body } = await bot.get("/trading/permissions");
  expect(body).toMatchObject({
    response: { executed: true },
    data: { createMarket: "enabled", createEntry: "enabled", createOCO: "enabled" },
  });
  const change = { oldPswd: "one", newPswd: "two", confirmNewPswd: "two" };
  const refused = await bot.post("/trading/changePassword", change);
  expect([refused.status, refused.body.code]).toEqual([200, 34]);
  expect(JSON.stringify(refused.body)).not.toMatch(/one|two/);
});

test("logging out is answered and ends the connection", async () => {
  for (const method of ["get", "post"] as const) {
    await using market = await session();
    const { body } = await market.bot[method]("/logout");
    expect(body.response).toEqual({ executed: true, error: "" });
    await within(market.bot.gone, "the connection's end");
    expect((await market.bot.get("/trading/get_instruments")).status).toBe(401);
  }
});

test("a net stop and limit apply to every trade on the side", async () => {
  await using market = await session({
    accounts: [{ account_id: accountId, balance: 10_000, hedging: true }],
  });
  const { done, rows, bot } = market;
  const trade = { account_id: accountId, symbol: "EUR/USD", amount: 1 };
  for (const is_buy of [true, true, false]) await done("/trading/open_trade", { ...trade, is_buy });
  const net = { account_id: accountId, symbol: "EUR/USD", is_buy: true };
  const path = "/trading/change_net_stop_limit";
  await done(path, { ...net, is_stop: true, rate: 1.02, trailing_step: 10 });
  await done(path, { ...net, is_stop: false, rate: 1.2 });
  const positions = await rows("OpenPosition", "open_positions");
  const protection = positions.map(({ stop, stopMove, limit }) => [stop, stopMove, limit]);
  expect(protection.slice(0, 3)).toEqual([
    [1.02, 10, 1.2],
    [1.02, 10, 1.2],
    [0, 0, 0],
  ]);
  const wrong = await bot.post(path, { ...net, is_stop: true, rate: 1.9 });
  expect(wrong.body.code).toBe(18);
  await done(path, { ...net, is_stop: true, rate: 0 });
  expect((await rows("OpenPosition", "open_positions"))[0].stop).toBe(0);
});

test("an order's stop and limit are set like a trade's, one by one", async () => {
  await using market = await session();
  const { done, rows, bot } = market;
  const entry = { account_id: accountId, symbol: "EUR/USD", is_buy: true, amount: 1, rate: 1.05 };
  const { orderId: order_id } = await done("/trading/create_entry_order", entry);
  const path = "/trading/change_order_stop_limit";
  const own = async () => {
    const [{ stop, limit, stopMove }] = await rows("Order", "orders");
    return [stop, limit, stopMove];
  };
  const change = { order_id, is_in_pips: "False", trailing_step: 0 };
  await done(path, { ...change, is_stop: "True", rate: 1.04 });
  await done(path, { ...change, is_stop: "False", rate: 1.07 });
  expect(await own()).toEqual([1.04, 1.07, 0]);
  await done(path, { order_id, is_stop: true, rate: -20, is_in_pips: true, trailing_step: 10 });
  expect(await own()).toEqual([1.048, 1.07, 10]);
  await done(path, { ...change, is_stop: "True", rate: 0 });
  expect(await own()).toEqual([0, 1.07, 0]);
  const { body } = await bot.post(path, { order_id });
  expect(body).toMatchObject({ code: 28, parameters: ["stop"] });
});

test("candles are found with the sample's spelling of their span", async () => {
  await using market = await session();
  advance(market.broker, 600_000);
  const to = Math.floor(market.broker.market.now / 1000) - 300;
  const span = { num: 10, From: to - 60, To: to };
  const { body } = await market.bot.get("/candles/1/m1", span);
  const times = [body.candles].flat(1).map((candle) => Number(Object(candle)[0]));
  expect(times).toHaveLength(1);
  expect(times[0]).toBeLessThanOrEqual(to);
});

test("markets are closed on Christmas and New Year's Day by default", async () => {
  for (const [closed, open] of [
    ["2026-12-25T15:00:00Z", "2026-12-24T15:00:00Z"],
    ["2027-01-01T15:00:00Z", "2026-12-31T15:00:00Z"],
  ] as const) {
    await using broker = await serveBroker({ prices: { type: "random_walk", start: open } });
    const tradable = () => broker.market.snapshot("Offer")[0]?.sellTradable;
    expect(tradable()).toBe(true);
    broker.market.advanceTo(Date.parse(open) + 20_000);
    const holiday = await serveBroker({ prices: { type: "random_walk", start: closed } });
    // The walk continues at the next opening.
    expect(holiday.market.now).toBeGreaterThan(Date.parse(closed) + 3_600_000);
    await holiday.close();
  }
});
