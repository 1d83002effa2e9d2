import { connectTrading } from "@proj/trading-client";
import { expect, test } from "vitest";
import { defaultInstruments, type InstrumentConfig } from "../../src/index.ts";
import { accountId, connectBot, serveBroker, token } from "./served-broker.ts";

const cfd = { rate_precision: 2, pip: 1, mmr: 100, spread: 2 } as const;
const instruments: readonly InstrumentConfig[] = [
  ...defaultInstruments,
  { ...cfd, symbol: "US30", offer_id: 1004, instrument_type: 2, start_rate: 40_000 },
  {
    ...cfd,
    symbol: "GER30",
    offer_id: 1005,
    instrument_type: 2,
    start_rate: 18_000,
    quote_currency: "EUR",
  },
  {
    ...cfd,
    symbol: "USOil",
    offer_id: 2001,
    instrument_type: 3,
    start_rate: 75,
    pip: 0.01,
    spread: 3,
  },
  {
    ...cfd,
    symbol: "XAU/USD",
    offer_id: 4001,
    instrument_type: 5,
    start_rate: 2000,
    pip: 0.01,
    spread: 30,
  },
  {
    ...cfd,
    symbol: "NVDA.us",
    offer_id: 6001,
    instrument_type: 6,
    start_rate: 180,
    contract_size: 10,
  },
];

test("products without a slash, and ounces, trade in their own units", async () => {
  await using broker = await serveBroker({
    ...{ instruments, prices: { type: "simulated", start: "2026-01-12T10:00:00Z" } },
    accounts: [{ account_id: accountId, balance: 1_000_000 }],
  });
  await using client = await connectTrading({ url: broker.url, token });
  const offers = new Map((await client.snapshot("Offer")).map((row) => [row.currency, row]));
  // What a move by 1 is worth for an amount of 1, in dollars.
  const worth = (symbol: string): number => {
    const { pipCost = 0, pip = 1 } = offers.get(symbol) ?? {};
    return pipCost / pip;
  };
  expect(["US30", "USOil", "XAU/USD", "NVDA.us", "EUR/USD"].map(worth)).toEqual([
    ...[1, 1, 1, 10],
    expect.closeTo(1000, 9),
  ]);
  expect(worth("GER30")).toBeCloseTo(offers.get("EUR/USD")?.buy ?? 0, 2);
  for (const symbol of ["US30", "GER30", "USOil", "XAU/USD", "NVDA.us"]) {
    const offer = offers.get(symbol);
    const order = { account_id: accountId, symbol, is_buy: true, amount: 2 };
    const { rate } = await (await client.placeMarketOrder(order)).ended();
    expect([symbol, rate]).toEqual([symbol, offer?.buy]);
    const row = (await client.snapshot("OpenPosition")).find(({ currency }) => currency === symbol);
    const loss = 2 * worth(symbol) * ((offer?.sell ?? 0) - (offer?.buy ?? 0));
    expect(row?.grossPL).toBeCloseTo(loss, 2);
    expect(await client.candles({ symbol, period_id: "m1", num: 1 })).toHaveLength(1);
  }
  const price = client.prices(["USOil"]).next();
  expect((await price).value?.symbol).toBe("USOil");
});

test("lists are read as axios, jQuery and PHP write them", async () => {
  await using broker = await serveBroker();
  await using bot = await connectBot(broker.url);
  for (const [models, pairs] of [
    [{ "models[]": ["Account", "Offer"] }, { "pairs[]": ["EUR/USD", "USD/JPY"] }],
    [
      { "models[0]": "Account", "models[1]": "Offer" },
      { "pairs[0]": "EUR/USD", "pairs[1]": "USD/JPY" },
    ],
  ] as const) {
    const { body } = await bot.get("/trading/get_model", models);
    expect([Object.keys(body).sort(), Object(body.accounts).length]).toEqual([
      ["accounts", "offers", "response"],
      2,
    ]);
    const subscribed = await bot.post("/subscribe", pairs);
    expect(Object(subscribed.body.pairs).length).toBe(2);
  }
});

test("an order that is filled at once shows its trade in its insert; expirations may have microseconds", async () => {
  await using broker = await serveBroker();
  await using bot = await connectBot(broker.url);
  await bot.post("/trading/subscribe", { models: "Order" });
  const order = { account_id: accountId, symbol: "EUR/USD", is_buy: true, amount: 5 };
  await bot.post("/trading/open_trade", order);
  await expect.poll(() => bot.pushes.length).toBe(3);
  const [row] = broker.market.snapshot("OpenPosition");
  const { tradeId } = row ?? {};
  expect(bot.pushes.map(([, record]) => [record.action, record.status, record.tradeId])).toEqual([
    ["I", 2, tradeId],
    ["U", 6, tradeId],
    ["D", 9, undefined],
  ]);
  const entry = { ...order, rate: 1.01, time_in_force: "GTD" };
  for (const digits of ["", "123", "123456"])
    await bot.post("/trading/create_entry_order", {
      ...entry,
      expiration: `01132026100000${digits}`,
    });
  const times = broker.market.snapshot("Order").map(({ expireDate }) => expireDate);
  expect(times).toEqual(["01132026100000000", "01132026100000123", "01132026100000123"]);
  for (const rate of [1e300, 1e10]) {
    const { body } = await bot.post("/trading/create_entry_order", { ...entry, rate });
    expect(body).toMatchObject({ code: 28, parameters: ["rate", String(rate)] });
  }
});
