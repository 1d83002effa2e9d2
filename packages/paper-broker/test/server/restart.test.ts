import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startProcess, temporaryFolder, waitFor, within } from "@proj/test-kit";
import { expect, test } from "vitest";
import { accountId, connectBot, marketOrder, token } from "./served-broker.ts";

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
