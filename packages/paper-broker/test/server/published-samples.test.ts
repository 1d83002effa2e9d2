import { within } from "@proj/test-kit";
import { expect, test } from "vitest";
import type { PaperBrokerConfig } from "../../src/index.ts";
import { accountId, advance, connectBot, serveBroker, token } from "./served-broker.ts";

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

test("a polling EIO 3 client without b64 is answered in binary framing", async () => {
  await using broker = await serveBroker();
  const address = `${broker.url}/socket.io/?EIO=3&transport=polling&access_token=${token}`;
  const poll = async (url: string) => {
    const response = await fetch(url);
    expect(response.headers.get("content-type")).toBe("application/octet-stream");
    return packetsOf(Buffer.from(await response.arrayBuffer()));
  };
  const [opened = ""] = await poll(`${address}&t=1`);
  const { sid } = JSON.parse(opened.slice(1));
  expect(await poll(`${address}&sid=${sid}`)).toEqual(["40"]);
  const headers = { authorization: `Bearer ${sid}${token}` };
  await fetch(`${broker.url}/subscribe`, { method: "POST", headers, body: "pairs=EUR%2FUSD" });
  advance(broker, 2000);
  const pushed = await poll(`${address}&sid=${sid}`);
  expect(pushed).toHaveLength(2);
  expect(JSON.parse(JSON.parse((pushed[1] ?? "").slice(2))[1])).toEqual(
    broker.market.price("EUR/USD"),
  );
  expect(await (await fetch(`${address}&sid=${sid}`, { method: "POST", body: "1:2" })).text()).toBe(
    "ok",
  );
  expect(await poll(`${address}&sid=${sid}`)).toEqual(["3"]);
});

/** Parses engine.io 1 framing: 0 for text, the length's digits as bytes, 255, the text. */
function packetsOf(payload: Buffer): string[] {
  const packets: string[] = [];
  for (let at = 0; at < payload.length; ) {
    expect(payload[at]).toBe(0);
    const end = payload.indexOf(255, at);
    const length = Number([...payload.subarray(at + 1, end)].join(""));
    packets.push(payload.toString("utf8", end + 1, end + 1 + length));
    at = end + 1 + length;
  }
  return packets;
}

test("a server restarted without a state file does not reuse ids", async () => {
  const ids = async () => {
    await using market = await session({ prices: { type: "random_walk" }, hours: null });
    const { done, rows } = market;
    const trade = { account_id: accountId, symbol: "EUR/USD", is_buy: true, amount: 1 };
    const { orderId } = await done("/trading/open_trade", trade);
    const [{ tradeId }] = await rows("OpenPosition", "open_positions");
    return [Number(orderId), Number(tradeId)] as const;
  };
  const first = await ids();
  const second = await ids();
  expect(second[0]).toBeGreaterThan(first[0]);
  expect(second[1]).toBeGreaterThan(first[1]);
  expect(second[0]).toBeLessThan(first[1]);
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
