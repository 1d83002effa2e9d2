import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startProcess, temporaryFolder, waitFor, within } from "@proj/test-kit";
import { expect, test } from "vitest";
import { accountId, connectBot, marketOrder, serveBroker, token } from "./served-broker.ts";

const program = fileURLToPath(new URL("./restart-program.ts", import.meta.url));

test("orders, positions and money survive SIGKILL; connections do not", async () => {
  await using folder = await temporaryFolder();
  const state_file = join(folder.path, "state.db");
  const start = async () => {
    const child = startProcess([program, state_file, token, accountId]);
    const line = await child.line(/^serving /);
    return { child, url: line.replace("serving ", "") };
  };
  const killed = await start();
  await using child = killed.child;
  await using bot = await connectBot(killed.url);
  const order = async () => (await bot.post("/trading/open_trade", marketOrder)).body.code ?? null;
  // Retry until there is a price.
  await waitFor(async () => (await order()) === null, "an order");
  const entry = { ...marketOrder, order_type: "Entry", rate: 1.05 };
  const placed = (await bot.post("/trading/create_entry_order", entry)).body.data;
  const models = ["OpenPosition", "Order", "Account"];
  const before = (await bot.get("/trading/get_model", { models })).body;
  child.kill("SIGKILL");
  await within(bot.gone, "the end of the connection");
  await child.exit();

  const again = await start();
  await using second = again.child;
  const headers = { authorization: `Bearer ${bot.id}${token}` };
  const old = await fetch(`${again.url}/trading/get_instruments`, { headers });
  expect(old.status).toBe(401);
  await using next = await connectBot(again.url);
  const after = (await next.get("/trading/get_model", { models })).body;
  const facts = ({ open_positions, orders, accounts }: typeof after) => ({
    trades: [open_positions].flat().map((row) => [Object(row).tradeId, Object(row).open]),
    orders: [orders].flat().map((row) => Object(row).orderId),
    balance: Object([accounts].flat()[0]).balance,
  });
  expect(facts(after)).toEqual(facts(before));
  expect(facts(after).orders).toContain(String(Object(placed).orderId));
  second.kill("SIGKILL");
});

test("without a state file, no id of an order, a trade or an OCO group is used again", async () => {
  const usedIds = async () => {
    await using broker = await serveBroker({
      ...{ prices: { type: "random_walk" }, hours: null },
      accounts: [{ account_id: accountId, balance: 1_000_000 }],
    });
    const { market } = broker;
    const order = { account_id: accountId, symbol: "EUR/USD", is_buy: true, amount: 1 };
    const terms = { order_type: "AtMarket", time_in_force: "GTC" } as const;
    const protection = { stop: -50, limit: 50, is_in_pips: true };
    // A fast bot: each order takes three order ids.
    for (let placed = 0; placed < 300; placed += 1)
      market.execute("open_trade", { ...order, ...terms, ...protection });
    const pair = { rate: 1.3, is_buy2: false, rate2: 1.02, time_in_force: "GTC" } as const;
    market.execute("simple_oco", { ...order, ...pair });
    const [orders, trades] = [market.snapshot("Order"), market.snapshot("OpenPosition")];
    return {
      orders: [...orders, ...trades].map(({ orderId }) => Number(orderId)),
      trades: trades.map(({ tradeId }) => Number(tradeId)),
      groups: market.snapshot("OCO").map(({ ocoBulkId }) => ocoBulkId),
    };
  };
  const [first, second] = [await usedIds(), await usedIds()];
  for (const kind of ["orders", "trades", "groups"] as const)
    expect(Math.min(...second[kind])).toBeGreaterThan(Math.max(...first[kind]));
  expect(Math.max(...second.orders)).toBeLessThan(Math.min(...first.trades));
  expect(Math.max(...second.trades)).toBeLessThan(Number.MAX_SAFE_INTEGER);
});
