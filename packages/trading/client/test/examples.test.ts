import { readFileSync } from "node:fs";
import { startProcess } from "@proj/test-kit";
import { expect, test } from "vitest";
import { executed, ordered } from "./server/recorded-answers.ts";
import { accountRecord, orderRecord } from "./server/records.ts";
import { TradingServer } from "./server/trading-server.ts";

test("the quick start runs and its assertions hold", async () => {
  await using server = await TradingServer.start();
  server.tables.Account.set("1027808", accountRecord());
  server.price("EUR/USD", 0.25, 1_524_657_636_391);
  server.answer("/trading/open_trade", () => {
    const orderId = "390285837";
    server.change("Order", "I", orderRecord({ orderId }));
    server.change("Order", "U", { orderId, tradeId: "170162801" });
    server.change("Order", "D", { orderId, status: 9 });
    return ordered(Number(orderId));
  });
  const program = new URL("../examples/quickstart.ts", import.meta.url).pathname;
  await using running = startProcess([program, server.url, server.token]);
  expect(await running.exit()).toEqual({ code: 0, signal: null });
  expect(running.stdout).toBe("bought EUR/USD at 1.25: order 390285837, trades 170162801\n");
  expect(running.stderr).toBe("");
});

test("the moving-average bot follows the waves and prints its result", async () => {
  await using server = await TradingServer.start();
  server.tables.Account.set("1027808", accountRecord());
  const trades: string[] = [];
  server.answer("/trading/open_trade", () => {
    const orderId = String(100 + trades.push("bought"));
    server.change("Order", "I", orderRecord({ orderId }));
    server.change("Order", "U", { orderId, tradeId: `2${orderId}` });
    server.change("Order", "D", { orderId, status: 9 });
    return ordered(Number(orderId));
  });
  server.answer("/trading/close_all_for_symbol", () => {
    trades.push("closed");
    return executed({ data: [] });
  });
  let tick = 0;
  const market = setInterval(() => {
    tick += 1;
    server.price("EUR/USD", 1.2 + Math.sin(tick / 20) / 100, 1.5e12 + tick);
  }, 1);
  try {
    const program = new URL("../examples/moving-average.ts", import.meta.url).pathname;
    await using running = startProcess([program, server.url, server.token, "300"]);
    expect(await running.exit()).toEqual({ code: 0, signal: null });
    expect(running.stderr).toBe("");
    expect(running.stdout).toMatch(/^\d+ orders in \d+ prices: 50000 became 50000\n$/);
    expect(running.stdout).toContain(`${trades.length} orders`);
  } finally {
    clearInterval(market);
  }
  expect(trades.length).toBeGreaterThanOrEqual(4);
  expect(trades).toEqual(trades.map((_, index) => (index % 2 === 0 ? "bought" : "closed")));
});

test("the README's code is the example", () => {
  const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
  expect(read("../README.md")).toContain(`\`\`\`ts\n${read("../examples/quickstart.ts")}\`\`\``);
});
