import { within } from "@proj/test-kit";
import { connectTrading, errorCodes, type TradingClient } from "@proj/trading-client";
import { expect, test } from "vitest";
import type { PaperBroker } from "../../src/index.ts";
import { advance, serveBroker, token } from "./served-broker.ts";

const ownToken = "opens-account-1000-only";
const own = { account_id: "1000", symbol: "EUR/USD", is_buy: true, amount: 5 };
const foreign = { ...own, account_id: "2000" };
const terms = { order_type: "AtMarket", time_in_force: "GTC" } as const;

async function served() {
  const broker = await serveBroker({
    accounts: [
      { account_id: "1000", balance: 10_000, currency: "EUR" },
      { account_id: "2000", balance: 20_000, hedging: true },
    ],
    account_tokens: { "1000": [ownToken] },
  });
  const client = await connectTrading({ url: broker.url, token: ownToken });
  const dispose = async (): Promise<void> => {
    await client.close();
    await broker.close();
  };
  return { broker, client, [Symbol.asyncDispose]: dispose };
}

/** An open trade and a waiting order of the other account. */
function tradeElsewhere({ market }: PaperBroker): { trade_id: string; order_id: string } {
  market.execute("open_trade", { ...foreign, ...terms });
  const entry = { ...terms, order_type: "Entry", rate: 1.02 } as const;
  market.execute("create_entry_order", { ...foreign, ...entry });
  const [trade] = market.snapshot("OpenPosition");
  const [order] = market.snapshot("Order");
  return { trade_id: trade?.tradeId ?? "", order_id: order?.orderId ?? "" };
}

const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => "done",
    ({ code }: { readonly code: unknown }) => code,
  );

test("a token of one account reads only that account", async () => {
  await using server = await served();
  const { broker, client } = server;
  tradeElsewhere(broker);
  await client.openTrade(own);
  for (const model of ["Account", "OpenPosition", "Order"] as const)
    for (const { accountId } of await client.snapshot(model)) expect(accountId).toBe("1000");
  expect(await client.snapshot("OpenPosition")).toHaveLength(1);
  expect((await client.snapshot("Offer")).length).toBe(8);
  const properties = (await client.snapshot("Properties")).map(({ name }) => name);
  expect(properties).toContain("account_currency_1000");
  expect(properties).not.toContain("account_currency_2000");
  const { transactions } = await client.transactions();
  expect(new Set(transactions.map(({ accountId }) => accountId))).toEqual(new Set(["1000"]));
  expect(await codeOf(client.transactions({ account_id: "2000" }))).toBe(errorCodes.unknownAccount);
  expect(await codeOf(client.snapshot("Summary"))).toBe(errorCodes.notOffered);
  expect(await codeOf(client.subscribeTable("Summary"))).toBe(errorCodes.notOffered);
});

test("it gets only that account's changes, also partial ones", async () => {
  await using server = await served();
  const { broker, client } = server;
  const tables = await Promise.all(
    (["Account", "OpenPosition", "ClosedPosition", "Order"] as const).map((model) =>
      client.subscribeTable(model),
    ),
  );
  const keys: string[] = [];
  client.on("Account", ({ key }) => keys.push(key));
  client.on("OpenPosition", ({ row }) => keys.push(row.accountId));
  client.on("Order", ({ row }) => keys.push(row.accountId));
  const { trade_id } = tradeElsewhere(broker);
  advance(broker, 5000);
  broker.market.execute("close_trade", { trade_id, ...terms });
  const closed = Promise.withResolvers<string>();
  client.on("ClosedPosition", ({ row }) => closed.resolve(row.accountName));
  await client.openTrade(own);
  advance(broker, 5000);
  await client.openTrade({ ...own, is_buy: false });
  expect(await within(closed.promise, "the closed trade")).toBe(
    (await client.snapshot("Account"))[0]?.accountName,
  );
  expect(new Set(keys)).toEqual(new Set(["1000"]));
  for (const { model, rows } of tables)
    expect([...rows.keys()]).toHaveLength((await client.snapshot(model)).length);
});

test("it changes nothing of another account, nor anything for all", async () => {
  await using server = await served();
  const { broker, client } = server;
  const { trade_id, order_id } = tradeElsewhere(broker);
  const before = JSON.stringify(
    ["OpenPosition", "Order"].map((m) => broker.market.snapshot(m as "Order")),
  );
  const stop = { trade_id, is_stop: true, rate: 1 };
  const calls: readonly ((own: TradingClient) => Promise<unknown>)[] = [
    (bot) => bot.openTrade(foreign),
    (bot) => bot.createEntryOrder({ ...foreign, rate: 1.02 }),
    (bot) => bot.closeTrade({ trade_id }),
    (bot) => bot.changeTradeStopLimit(stop),
    (bot) => bot.setStopLimit({ trade_id, stop: 1 }),
    (bot) => bot.changeOrder({ order_id, rate: 1.03 }),
    (bot) => bot.deleteOrder({ order_id }),
    (bot) => bot.addToOco({ orderIds: [order_id], ocoBulkId: 0 }),
    (bot) => bot.closeAllForSymbol({ account_id: "2000", forSymbol: false, symbol: "EUR/USD" }),
    (bot) => bot.updateSubscriptions({ symbol: "EUR/USD", visible: false }),
  ];
  const codes: unknown[] = [];
  for (const call of calls) codes.push(await codeOf(call(client)));
  const { unknownAccount, unknownOrder, unknownTrade, notOffered } = errorCodes;
  expect(codes).toEqual([
    ...[unknownAccount, unknownAccount, unknownTrade, unknownTrade, unknownTrade],
    ...[unknownOrder, unknownOrder, unknownOrder, unknownAccount, notOffered],
  ]);
  const after = JSON.stringify(
    ["OpenPosition", "Order"].map((m) => broker.market.snapshot(m as "Order")),
  );
  expect(after).toBe(before);
  const ask = async (path: string, with_: string, method = "GET"): Promise<number> => {
    const headers = { authorization: `Bearer ${with_}` };
    return (await fetch(`${broker.url}${path}`, { method, headers })).status;
  };
  for (const [path, method] of [
    ["/control/faults", "GET"],
    ["/control/faults", "POST"],
    ["/control/advance?ms=1", "POST"],
  ])
    expect(await ask(path ?? "", ownToken, method)).toBe(403);
  const report = async (query: string) => {
    const headers = { authorization: `Bearer ${ownToken}` };
    return (await fetch(`${broker.url}/control/report${query}`, { headers })).json();
  };
  expect(await report("?part=summary")).toMatchObject({ summary: { account_id: "1000" } });
  expect(await report("?account_id=2000")).toMatchObject({ response: { executed: false } });
  expect(await ask("/control/report?account_id=2000", token)).toBe(200);
});

test("tokens of unknown accounts and repeated tokens are refused at the start", async () => {
  await expect(serveBroker({ account_tokens: { "9": [ownToken] } })).rejects.toThrow(
    "no account 9",
  );
  await expect(serveBroker({ account_tokens: { "1537581": [token] } })).rejects.toThrow("twice");
});
