import { join } from "node:path";
import { temporaryFolder } from "@proj/test-kit";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import type { PaperBroker } from "../../src/index.ts";
import { reportOf } from "../../src/reports/account-report.ts";
import { accountId, advance, serveBroker, token } from "./served-broker.ts";

const terms = { order_type: "AtMarket", time_in_force: "GTC" } as const;
const order = { account_id: accountId, symbol: "EUR/USD", amount: 20, ...terms };

async function asked({ url }: PaperBroker, query: string): Promise<Response> {
  return fetch(`${url}/control/report?${query}`, { headers: { authorization: `Bearer ${token}` } });
}

/** Opens and closes trades, each an hour long. */
function trade({ market }: PaperBroker, times: number): void {
  for (let number = 0; number < times; number += 1) {
    market.execute("open_trade", { ...order, is_buy: number % 2 === 0 });
    market.advanceTo(market.now + 1_800_000);
    const all = { account_id: accountId, forSymbol: false, symbol: "", ...terms };
    market.execute("close_all_for_symbol", all);
    market.advanceTo(market.now + 600_000);
  }
}

test("the report's trades and profits add up to the account's balance", async () => {
  const fill_model = { commission: 0.03 };
  await using broker = await serveBroker({ fill_model });
  trade(broker, 6);
  const response = await asked(broker, `account_id=${accountId}`);
  expect(response.headers.get("content-type")).toMatch(/^application\/json/);
  const { summary, trades, equity } = Object(await response.json());
  expect(summary).toMatchObject({ account_id: accountId, start_balance: 10_000, trades: 6 });
  const nets: number[] = trades.map((row: { net_profit: number }) => row.net_profit);
  const total = nets.reduce((sum, net) => sum + net, 0);
  expect(summary.net_profit).toBeCloseTo(total, 6);
  expect(summary.balance).toBeCloseTo(10_000 + total, 6);
  expect(summary.commission).toBeCloseTo(-7.2, 6);
  const won = nets.filter((net) => net > 0).reduce((sum, net) => sum + net, 0);
  expect(summary.profit_factor).toBeCloseTo(won / (won - total), 5);
  expect(summary.wins + summary.losses).toBe(6);
  expect(summary.max_drawdown).toBeGreaterThan(0);
  const { open_time, close_time, gross_profit, commission, swap, net_profit } = trades[0];
  expect(Date.parse(close_time) - Date.parse(open_time)).toBe(1_800_000);
  expect(net_profit).toBeCloseTo(gross_profit + commission + swap, 6);
  // A point every five minutes while a position is open, and the balance in between.
  expect(equity.length).toBeGreaterThan(6 * 5);
  expect(equity.at(-1).balance).toBe(summary.balance);
  // A point for every five minutes, and one for each fill.
  const fills = new Set(
    trades.flatMap(({ open_time, close_time }: never) => [open_time, close_time]),
  );
  for (const { time } of equity)
    expect(Date.parse(time) % 300_000 === 0 || fills.has(time)).toBe(true);
});

test("the report is available as CSV, part by part", async () => {
  await using broker = await serveBroker();
  trade(broker, 2);
  const lines = async (part: string) => {
    const response = await asked(broker, `format=csv&part=${part}`);
    expect(response.headers.get("content-type")).toMatch(/^text\/csv/);
    return (await response.text()).trimEnd().split("\n");
  };
  const trades = await lines("trades");
  expect(trades).toHaveLength(3);
  expect(trades[0]).toMatch(/^trade_id,order_id,close_order_id,symbol,side,amount,open_time,/);
  expect(trades[1]).toMatch(/^500000001,100000001,100000002,EUR\/USD,buy,20,2026-01-12T10:00:10/);
  expect((await lines("equity"))[0]).toBe("time,balance,equity");
  const [names = "", values = ""] = await lines("summary");
  expect(names.split(",").length).toBe(values.split(",").length);
});

test("the report requires the token and an existing account", async () => {
  await using broker = await serveBroker();
  expect((await fetch(`${broker.url}/control/report`)).status).toBe(401);
  expect(await (await asked(broker, "account_id=5")).json()).toMatchObject({ code: 21 });
  expect(await (await asked(broker, "format=pdf")).json()).toMatchObject({ code: 28 });
  expect(await (await asked(broker, "part=all")).json()).toMatchObject({ code: 28 });
});

test("the report survives a restart, including trades of earlier days", async () => {
  await using folder = await temporaryFolder();
  const state_file = join(folder.path, "market.db");
  const prices = { type: "random_walk", start: "2026-01-12T10:00:00Z", tick_interval_ms: 600_000 };
  const config = { state_file, prices: { ...prices, type: "random_walk" as const } };
  const first = await serveBroker(config);
  advance(first, 600_000);
  trade(first, 2);
  advance(first, 2 * 86_400_000);
  const before = await (await asked(first, "")).text();
  await first.close();
  await using again = await serveBroker(config);
  expect(await (await asked(again, "")).text()).toBe(before);
  expect(JSON.parse(before).trades).toHaveLength(2);
});

test("the summary covers all trades; lists that are too long say how many old rows they lack", async () => {
  await using folder = await temporaryFolder();
  const state_file = join(folder.path, "market.db");
  const first = await serveBroker({ state_file });
  advance(first, 10_000);
  trade(first, 2);
  const { summary: before } = Object(await (await asked(first, "")).json());
  await first.close();
  const [won, lost] = [150_000, 50_005];
  const database = new Database(state_file);
  // Older trades, the first ones lost a cent each and the others won one; and a deep fall long ago.
  database.exec(`
    insert into closed_positions
      with numbers(number) as (select 1 union all select number + 1 from numbers where number < ${won + lost})
      select number, number, accountId, symbol, side, open, close, amount, 0, 0,
        iif(number <= ${lost}, -1, 1), pipValue, closeOrderId, clientTag, closeClientTag, number, number, valueDate
      from numbers, (select * from closed_positions limit 1);
    insert into equity_points
      with numbers(number) as (select 1 union all select number + 1 from numbers where number < 200001)
      select '${accountId}', number, 1000000, iif(number = 1, 1, 1000000) from numbers;
    update accounts set balance = balance + ${won - lost};
  `);
  database.close();
  await using again = await serveBroker({ state_file });
  const response = await asked(again, "");
  const { summary, trades, equity, left_out } = Object(await response.json());
  expect(summary).toMatchObject({
    start_balance: 10_000,
    trades: before.trades + won + lost,
    wins: before.wins + won,
    max_drawdown: 9_999.99,
  });
  expect(summary.net_profit).toBeCloseTo(before.net_profit + (won - lost) / 100, 6);
  expect(summary.gross_loss).toBeCloseTo(before.gross_loss - lost / 100, 6);
  expect([trades.length, left_out.trades]).toEqual([200_000, won + lost + 2 - 200_000]);
  expect([equity.length, left_out.equity > 0]).toEqual([200_000, true]);
  expect(response.headers.get("x-left-out")).toBe(
    `trades=${left_out.trades}, equity=${left_out.equity}`,
  );
  const csv = await asked(again, "format=csv&part=trades");
  expect(csv.headers.get("x-left-out")).toBe(`trades=${left_out.trades}`);
  expect((await asked(again, "format=csv")).headers.get("x-left-out")).toBeNull();
});

test("a drawdown counts from the peak before it, and forgiven debt is not profit", () => {
  const account = {
    accountId: "1",
    currency: "USD",
    balance: 0,
    equity: 0,
    credit: 5000,
    openCosts: 0,
  };
  const curve = [100_000, 120_000, 90_000, 130_000, 97_500];
  const totals = {
    ...{ trades: 1, wins: 0, losses: 1, won: 0, lost: -105_000 },
    ...{ roll: 0, commission: 0 },
  };
  expect(reportOf({ account, totals, equities: curve })).toMatchObject({
    start_balance: 1000,
    net_profit: -1050,
    return: -1.05,
    max_drawdown: 1300,
    max_drawdown_share: 1,
    profit_factor: 0,
    win_rate: 0,
    average_win: null,
  });
  const nothing = reportOf({
    account: { ...account, balance: 100, equity: 100, credit: 0 },
    totals: { trades: 0, wins: 0, losses: 0, won: 0, lost: 0, roll: 0, commission: 0 },
    equities: [],
  });
  expect(nothing).toMatchObject({ profit_factor: null, win_rate: null, return: 0, trades: 0 });
});
