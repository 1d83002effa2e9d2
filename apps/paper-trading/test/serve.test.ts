import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startProcess, temporaryFolder } from "@proj/test-kit";
import { connectTrading } from "@proj/trading-client";
import { expect, test } from "vitest";
import { root, said, startPaperTrading } from "./paper-trading-process.ts";

test("without a configuration it prints address, token and a working first line of a bot", async () => {
  await using folder = await temporaryFolder();
  await using program = startPaperTrading(["--port", "0"], { cwd: folder.path });
  const bot = await said(program, "bot");
  const [url, token] = [await said(program, "address"), await said(program, "token")];
  expect(bot).toBe(`const client = await connectTrading({ url: "${url}", token: "${token}" });`);
  await using client = await connectTrading({ url, token });
  expect(await client.snapshot("Account")).toMatchObject([{ balance: 50_000, equity: 50_000 }]);
  const candles = await client.candles({ symbol: "EUR/USD", period_id: "m5", num: 50 });
  expect(candles).toHaveLength(50);
  program.kill("SIGTERM");
  expect(await program.exit()).toEqual({ code: 0, signal: null });
  expect(program.stderr).not.toContain(token);
});

test("the README's configuration and bot run, and their trades survive a restart", async () => {
  await using folder = await temporaryFolder();
  const yaml = await readFile(join(root, "examples/paper-trading.yaml"), "utf8");
  await writeFile(join(folder.path, "paper.yaml"), yaml);
  const options = { cwd: folder.path, env: { PAPER_TRADING_TOKEN: "token-of-a-test" } };
  const args = ["--config", "paper.yaml", "--port", "0"];
  await using program = startPaperTrading(args, options);
  const url = await said(program, "address");
  const env = { PAPER_TRADING_URL: url, PAPER_TRADING_TOKEN: "token-of-a-test" };
  await using bot = startProcess([join(root, "examples/quickstart.ts")], { env });
  await bot.line(/^order \d+ opened trade \d+/);
  expect(await bot.exit()).toMatchObject({ code: 0 });
  program.kill("SIGTERM");
  expect(await program.exit()).toMatchObject({ code: 0 });
  expect(program.output).not.toContain("token-of-a-test");

  await using again = startPaperTrading(args, options);
  const token = "token-of-a-test";
  await using client = await connectTrading({ url: await said(again, "address"), token });
  expect(await client.snapshot("ClosedPosition")).toHaveLength(1);
});

test("report prints an account's report as JSON and CSV, or says why it cannot", async () => {
  await using folder = await temporaryFolder();
  await using program = startPaperTrading(["--port", "0"], { cwd: folder.path });
  const [url, token] = [await said(program, "address"), await said(program, "token")];
  await using client = await connectTrading({ url, token });
  const [account] = await client.snapshot("Account");
  const order = { account_id: account?.accountId ?? "", symbol: "EUR/USD", is_buy: true };
  const { tradeIds } = await (await client.placeMarketOrder({ ...order, amount: 10 })).ended();
  for (const trade_id of tradeIds) await client.closeTrade({ trade_id });
  const report = async (args: readonly string[], env: Readonly<Record<string, string>>) => {
    await using asked = startPaperTrading(["report", ...args], { env });
    const { code } = await asked.exit();
    return { code, stdout: asked.stdout, stderr: asked.stderr };
  };
  const env = { PAPER_TRADING_URL: url, PAPER_TRADING_TOKEN: token };
  const [json, csv, unknown, wrong, none] = await Promise.all([
    report([], env),
    report(["--format", "csv", "--part", "trades"], env),
    report(["--account", "5"], env),
    report([], { ...env, PAPER_TRADING_TOKEN: "another-token" }),
    report(["--url", url], {}),
  ]);
  expect(JSON.parse(json.stdout).summary).toMatchObject({ start_balance: 50_000, trades: 1 });
  expect(csv.stdout).toMatch(/^trade_id,order_id,.*\n\d+,\d+,\d+,EUR\/USD,buy,10,.*\n$/);
  expect([unknown.code, unknown.stderr]).toEqual([3, expect.stringContaining("no account 5")]);
  expect([wrong.code, wrong.stderr]).toEqual([3, expect.stringContaining("the token")]);
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("PAPER_TRADING_TOKEN")]);
});

test("unreadable prices end it with 3 and a reason", async () => {
  await using folder = await temporaryFolder();
  const row = (second: number, bid: string) => `2026-01-12T10:00:0${second}Z,${bid},1.0801`;
  const rows = [0, 1, 2].map((second) => row(second, "1.08"));
  const text = ["time,bid,ask", ...rows, row(3, "nothing"), ""].join("\n");
  await writeFile(join(folder.path, "prices.csv"), text);
  const yaml = `
tokens: [token-of-a-test]
accounts: [{ account_id: "1", balance: 100 }]
prices: { type: csv, file: prices.csv, symbol: EUR/USD }
speed: 100
`;
  await writeFile(join(folder.path, "paper.yaml"), yaml);
  const args = ["--config", "paper.yaml", "--port", "0"];
  await using program = startPaperTrading(args, { cwd: folder.path });
  expect(await program.exit()).toEqual({ code: 3, signal: null });
  expect(program.stderr).toContain("its bid is not a rate");
});
