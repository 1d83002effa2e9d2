import { waitFor } from "@proj/test-kit";
import { expect, test } from "vitest";
import { defaultInstruments } from "../../src/index.ts";
import { accountId, advance, connectBot, marketOrder, serveBroker } from "./served-broker.ts";

const entry = { ...marketOrder, order_type: "Entry", rate: 1.05 };
const closing = { order_type: "AtMarket", time_in_force: "GTC" };
const shallow = defaultInstruments.map((instrument) => ({
  ...instrument,
  liquidity: { amount: 2, step: 0.1 },
}));

async function trading(config: Parameters<typeof serveBroker>[0] = {}) {
  const broker = await serveBroker(config);
  const bot = await connectBot(broker.url);
  /** Places an order and returns its id. */
  const orderId = async (path: string, fields: Parameters<typeof bot.post>[1]): Promise<number> => {
    const { body } = await bot.post(path, fields);
    expect(body.response).toEqual({ executed: true, error: "" });
    const { type, orderId: id } = Object(Array.isArray(body.data) ? body.data[0] : body.data);
    expect(type).toBe(0);
    return id;
  };
  const rows = async (models: string, member: string) => {
    const { body } = await bot.get("/trading/get_model", { models });
    return [body[member]]
      .flat()
      .filter((row) => !Object(row).isTotal)
      .map(Object);
  };
  const dispose = async () => {
    await bot[Symbol.asyncDispose]();
    await broker.close();
  };
  return { broker, bot, orderId, rows, [Symbol.asyncDispose]: dispose };
}

test("a market order returns its id at once, and its trade ids are pushed in the Order table", async () => {
  await using market = await trading({ instruments: shallow });
  const { bot, orderId, rows } = market;
  await bot.post("/trading/subscribe", { models: "Order" });
  await bot.post("/trading/subscribe", { models: "OpenPosition" });
  const id = await orderId("/trading/open_trade", marketOrder);
  const orders = () =>
    bot.pushes.filter(([event]) => event === "Order").map(([, record]) => record);
  await waitFor(() => orders().at(-1)?.action === "D", "the order's end");
  expect(orders().map(({ action }) => action)).toEqual(["I", "U", "U", "U", "D"]);
  expect(orders()).toEqual(Array(5).fill(expect.objectContaining({ t: 3, orderId: String(id) })));
  // The insert shows the first one, too.
  expect(orders()[0]?.tradeId).toBe(orders()[1]?.tradeId);
  const tradeIds = orders().flatMap(({ action, tradeId }) => (action === "U" ? [tradeId] : []));
  expect(new Set(tradeIds).size).toBe(3);
  expect(tradeIds).not.toContain(String(id));
  const positions = await rows("OpenPosition", "open_positions");
  expect(positions.map(({ tradeId }) => tradeId)).toEqual(tradeIds);
  expect(new Set(positions.map((position) => position.orderId))).toEqual(new Set([String(id)]));
  // It has left the snapshots of the Order table.
  expect(await rows("Order", "orders")).toEqual([]);
});

test("an entry order returns its id, is in the Order snapshot, and gets a trade id when it executes", async () => {
  await using market = await trading();
  const { broker, bot, orderId, rows } = market;
  await bot.post("/trading/subscribe", { models: "Order" });
  const [bid = 0] = broker.market.price("EUR/USD")?.Rates ?? [];
  const rate = Number((bid - 0.0003).toFixed(5));
  const id = await orderId("/trading/create_entry_order", { ...entry, rate });
  const [order] = await rows("Order", "orders");
  expect(order).toMatchObject({ orderId: String(id), isEntryOrder: true, type: "LE", buy: rate });
  expect(order).not.toHaveProperty("tradeId");
  const isExecuted = () => bot.pushes.some(([, record]) => "tradeId" in record);
  for (let minutes = 0; minutes < 600 && (await rows("Order", "orders")).length > 0; minutes += 1) {
    advance(broker, 60_000);
  }
  await waitFor(isExecuted, "the execution");
  const [position] = await rows("OpenPosition", "open_positions");
  expect(bot.pushes.flatMap(([, { tradeId = [] }]) => tradeId)).toContain(position.tradeId);
});

test("a position is protected, its stop and limit changed, and it is closed in part and in full", async () => {
  await using market = await trading();
  const { bot, orderId, rows } = market;
  await orderId("/trading/open_trade", { ...marketOrder, stop: -50, limit: 60, is_in_pips: true });
  const [{ tradeId: trade_id, open }] = await rows("OpenPosition", "open_positions");
  const stopOf = async () => (await rows("OpenPosition", "open_positions"))[0].stop;
  expect(await stopOf()).toBeCloseTo(open - 0.005, 5);
  const change = "/trading/change_trade_stop_limit";
  const stop = { trade_id, is_stop: true };
  await bot.post(change, { ...stop, rate: -40, is_in_pips: true, trailing_step: 10 });
  expect(await stopOf()).toBeCloseTo(open - 0.004, 5);
  await bot.post(change, { ...stop, rate: 0 });
  expect(await stopOf()).toBe(0);
  await orderId("/trading/close_trade", { ...closing, trade_id, amount: 2, at_market: 0, rate: 0 });
  expect(await rows("OpenPosition", "open_positions")).toMatchObject([{ amountK: 3 }]);
  await orderId("/trading/close_trade", { ...closing, trade_id });
  expect(await rows("OpenPosition", "open_positions")).toEqual([]);
  expect(await rows("ClosedPosition", "closed_positions")).toHaveLength(2);
});

test("entry orders are changed and deleted", async () => {
  await using market = await trading();
  const { bot, orderId, rows } = market;
  const order_id = await orderId("/trading/create_entry_order", entry);
  await bot.post("/trading/change_order", { order_id, rate: 1.04, amount: 7, range: 2 });
  expect(await rows("Order", "orders")).toMatchObject([{ buy: 1.04, amountK: 7 }]);
  const stopLimit = {
    order_id,
    stop: -20,
    is_stop_in_pips: true,
    limit: 30,
    is_limit_in_pips: true,
  };
  const { body } = await bot.post("/trading/change_order_stop_limit", stopLimit);
  expect(body).toEqual({ response: { executed: true, error: "" } });
  expect(await rows("Order", "orders")).toMatchObject([{ isELSOrder: true }]);
  await bot.post("/trading/delete_order", { order_id });
  expect(await rows("Order", "orders")).toEqual([]);
  expect((await bot.post("/trading/delete_order", { order_id })).body.code).toBe(23);
});

test("a range entry order waits with its range", async () => {
  await using market = await trading();
  const { bot, orderId, rows } = market;
  const range = { ...entry, order_type: "RangeEntry", range: 2.5 };
  await orderId("/trading/create_entry_order", range);
  expect(await rows("Order", "orders")).toMatchObject([{ isEntryOrder: true, range: 2.5 }]);
  const { body } = await bot.post("/trading/create_entry_order", { ...range, range: "" });
  expect(body).toMatchObject({ code: 28, parameters: ["range"] });
});

test("OCO groups are pushed as table 4 and are in its snapshot", async () => {
  await using market = await trading();
  const { bot, orderId, rows } = market;
  await bot.post("/trading/subscribe", { models: "OCO" });
  const ids = [
    await orderId("/trading/create_entry_order", entry),
    await orderId("/trading/create_entry_order", entry),
  ].map(String);
  await bot.post("/trading/add_to_oco", { orderIds: ids, ocoBulkId: 0 });
  await waitFor(() => bot.pushes.length === 1, "the group");
  const group = { t: 4, ocoBulkId: 1, accountId, orderIds: ids };
  expect(bot.pushes).toEqual([["OCO", { ...group, action: "I" }]]);
  expect(await rows("OCO", "oco")).toEqual([group]);
});

test("OCO groups are formed, changed and dissolved, with lists as repeated keys", async () => {
  await using market = await trading();
  const { bot, orderId, rows } = market;
  const { body } = await bot.post("/trading/simple_oco", {
    ...{ account_id: accountId, symbol: "EUR/USD", amount: 2, time_in_force: "GTC" },
    ...{ is_in_pips: true, is_buy: true, rate: 1.05, stop: -20, limit: 20, trailing_step: 0 },
    ...{ is_buy2: false, rate2: 1.12, stop2: 20, limit2: -20, trailing_step2: 10 },
  });
  const legs = [body.data].flat().map(Object);
  expect(legs).toHaveLength(2);
  const [{ ocoBulkId }] = legs;
  expect(await rows("Order", "orders")).toMatchObject([{ ocoBulkId }, { ocoBulkId }]);
  const third = await orderId("/trading/create_entry_order", entry);
  const fourth = await orderId("/trading/create_entry_order", entry);
  await bot.post("/trading/add_to_oco", { orderIds: [third, fourth], ocoBulkId });
  const groups = async () => (await rows("Order", "orders")).map((order) => order.ocoBulkId);
  expect(await groups()).toEqual(Array(4).fill(ocoBulkId));
  await bot.post("/trading/remove_from_oco", { orderIds: third });
  expect(await groups()).toEqual([ocoBulkId, ocoBulkId, 0, ocoBulkId]);
  const edit = { ocoBulkId, addOrderIds: third, removeOrderIds: [fourth] };
  await bot.post("/trading/edit_oco", edit);
  expect(await groups()).toEqual([ocoBulkId, ocoBulkId, ocoBulkId, 0]);
});

test("all positions of one symbol, or of all symbols, are closed at once", async () => {
  await using market = await trading();
  const { bot, orderId, rows } = market;
  for (const symbol of ["EUR/USD", "USD/JPY", "GBP/USD"]) {
    await orderId("/trading/open_trade", { ...marketOrder, symbol });
  }
  const all = { account_id: accountId, ...closing };
  await orderId("/trading/close_all_for_symbol", { ...all, forSymbol: true, symbol: "USD/JPY" });
  const symbols = async () =>
    (await rows("OpenPosition", "open_positions")).map(({ currency }) => currency);
  expect(await symbols()).toEqual(["EUR/USD", "GBP/USD"]);
  await bot.post("/trading/close_all_for_symbol", { ...all, forSymbol: false });
  expect(await symbols()).toEqual([]);
});

test.each([
  [0, null],
  [1, null],
  ...[2, 3, 4, 5, 6, 7, 8, 9].map((step): [number, number] => [step, 20]),
  [10, null],
  [11, null],
  [500, null],
  [-1, 20],
  [-10, 20],
  [10.5, 20],
])("a trailing stop step of %d is answered with code %s under both names", async (step, code) => {
  await using market = await trading();
  for (const name of ["trailing_stop_step", "trailing_step"]) {
    const order = { ...marketOrder, stop: -50, is_in_pips: true, [name]: step };
    const { body } = await market.bot.post("/trading/open_trade", order);
    expect(body.code ?? null).toBe(code);
    const waiting = { ...entry, stop: -50, is_in_pips: true, [name]: step };
    const { body: placed } = await market.bot.post("/trading/create_entry_order", waiting);
    expect(placed.code ?? null).toBe(code);
  }
});

test("missing or malformed fields are refused by name, and nothing is done", async () => {
  await using market = await trading();
  const { bot, rows } = market;
  for (const field of ["account_id", "symbol", "is_buy", "amount"]) {
    const { body } = await bot.post("/trading/open_trade", { ...marketOrder, [field]: "" });
    expect(body).toMatchObject({ code: 28, parameters: [field], message: `${field} is missing` });
  }
  for (const [field, value] of [
    ["is_buy", "perhaps"],
    ["amount", "5 lots"],
    ["amount", "NaN"],
    ["stop", "0x10"],
    ["order_type", "Limit"],
    ["time_in_force", "GTD"],
  ] as const) {
    const { body } = await bot.post("/trading/open_trade", { ...marketOrder, [field]: value });
    expect(body).toMatchObject({ code: 28, parameters: [field, value] });
  }
  expect(await rows("OpenPosition", "open_positions")).toEqual([]);
});
