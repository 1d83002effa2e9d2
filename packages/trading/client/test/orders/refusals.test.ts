import { InvalidRequestError, RefusalError, type TradingClient } from "@proj/trading-client";
import { expect, test } from "vitest";
import { connect } from "../server/connect.ts";
import { ordered, refused } from "../server/recorded-answers.ts";
import { accountRecord } from "../server/records.ts";
import { TradingServer } from "../server/trading-server.ts";

const order = { account_id: "1027808", symbol: "EUR/USD", is_buy: true, amount: 10 };
const pair = { ...order, rate: 1.3, is_buy2: false, rate2: 1.1 };

async function refusedWith(call: (client: TradingClient) => Promise<unknown>): Promise<unknown> {
  await using server = await TradingServer.start();
  await using client = await connect(server);
  const error = await call(client).catch((reason: unknown) => reason);
  expect(server.requests).toEqual([]);
  expect(error).toBeInstanceOf(InvalidRequestError);
  return error;
}

test.each([2, 3, 4, 5, 6, 7, 8, 9, -1, -10, 10.5])(
  "a trailing stop step of %d is not sent",
  async (trailing_stop_step) => {
    const error = await refusedWith(async (client) => {
      await expect(client.openTrade({ ...order, trailing_stop_step })).rejects.toThrow();
      const entry = { ...order, rate: 1.3, trailing_stop_step };
      await expect(client.placeEntryOrder(entry)).rejects.toThrow();
      await expect(client.changeOrder({ order_id: "1", trailing_stop_step })).rejects.toThrow();
      return client.simpleOco({ ...pair, trailing_stop_step2: trailing_stop_step });
    });
    expect(error).toMatchObject({ field: "trailing_stop_step2" });
  },
);

test.each([0, 1, 10, 11, 500])("a trailing stop step of %d is sent", async (trailing_stop_step) => {
  await using server = await TradingServer.start();
  server.answer("/trading/open_trade", () => ordered(1));
  await using client = await connect(server);
  expect(await client.openTrade({ ...order, trailing_stop_step })).toEqual({ orderId: "1" });
});

test.each(["EURUSD", "EUR/", "/USD", "EUR/USD/JPY", "EUR USD", ""])(
  "%j is not a symbol and is not sent",
  async (symbol) => {
    const error = await refusedWith(async (client) => {
      expect(() => client.prices([symbol])).toThrow(InvalidRequestError);
      await expect(client.subscribePrices([symbol])).rejects.toThrow(InvalidRequestError);
      const candles = { symbol, period_id: "m1", num: 1 } as const;
      await expect(client.candles(candles)).rejects.toThrow(InvalidRequestError);
      return client.placeMarketOrder({ ...order, symbol });
    });
    expect(error).toMatchObject({ field: "symbol" });
  },
);

test.each(["amount", "rate", "stop", "limit", "at_market"])(
  "a number that is not finite is not sent as %s",
  async (field) => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      const error = await refusedWith((client) => client.openTrade({ ...order, [field]: value }));
      expect(error).toMatchObject({ field });
    }
  },
);

test("before the accounts are read, an id with a leading zero counts as a name", async () => {
  const error = await refusedWith((client) =>
    client.openTrade({ ...order, account_id: "01027808" }),
  );
  expect(error).toMatchObject({ field: "account_id" });
});

test.each(["snapshot", "subscribeTable"] as const)(
  "after %s of the accounts, a known name is not sent and the error names its id",
  async (read) => {
    await using server = await TradingServer.start();
    server.answer("/trading/open_trade", () => ordered(1));
    server.tables.Account.set("77", accountRecord({ accountId: "77", accountName: "Main" }));
    server.tables.Account.set("08", accountRecord({ accountId: "08", accountName: "08" }));
    await using client = await connect(server);
    await client[read]("Account");
    const named = client.openTrade({ ...order, account_id: "Main" });
    await expect(named).rejects.toThrow(InvalidRequestError);
    await expect(named).rejects.toThrow(/here 77/);
    expect(server.requestsTo("/trading/open_trade")).toEqual([]);
    // An id that equals its account's name is an id, even with a leading zero.
    await client.openTrade({ ...order, account_id: "08" });
    await client.openTrade({ ...order, account_id: "77" });
  },
);

test("error 3, a server's answer to an account name, is a RefusalError", async () => {
  await using server = await TradingServer.start();
  const message = "Amount should be divisible by 10";
  server.answer("/trading/open_trade", () => refused(3, message, "10"));
  await using client = await connect(server);
  const failed = client.placeMarketOrder(order);
  await expect(failed).rejects.toBeInstanceOf(RefusalError);
  await expect(failed).rejects.toMatchObject({ code: 3, message, parameters: ["10"] });
});
