import { fileURLToPath } from "node:url";
import { startProcess } from "@proj/test-kit";
import { expect, test } from "vitest";
import { serveBroker, start, token } from "./server/served-broker.ts";

const bot = fileURLToPath(new URL("../../client/examples/moving-average.ts", import.meta.url));

test("the moving-average bot trades at 1000 times real speed and prints its result", async () => {
  await using broker = await serveBroker({ speed: 1000, hours: null });
  await using running = startProcess([bot, broker.url, token, "300"]);
  expect(await running.exit()).toEqual({ code: 0, signal: null });
  // It waits for one more price if it has a position to close.
  const [, orders, balance] =
    /^(\d+) orders in 30[01] prices: 10000 became (.*)\n$/.exec(running.stdout) ?? [];
  const { market } = broker;
  const closed = market.snapshot("ClosedPosition");
  expect(Number(orders)).toBe(closed.length * 2);
  expect(closed.length).toBeGreaterThan(0);
  expect(market.snapshot("OpenPosition")).toEqual([]);
  expect(Number(balance)).toBe(market.snapshot("Account")[0]?.balance);
  const profit = closed.reduce((sum, { grossPL, roll }) => sum + grossPL + roll, 0);
  expect(Number(balance)).toBeCloseTo(10_000 + profit, 2);
});

test("as a backtest, the bot makes the same orders and ends with the same cent, each time", async () => {
  const run = async (): Promise<unknown[]> => {
    const prices = { type: "simulated", seed: 7, start } as const;
    const fill_model = { slippage_share: 0.25, slippage_pips: 0.3, commission: 0.03 };
    await using broker = await serveBroker({ prices, fill_model });
    await using running = startProcess([bot, broker.url, token, "300", "20000"]);
    expect(await running.exit()).toEqual({ code: 0, signal: null });
    const { market } = broker;
    return [running.stdout, market.now, market.snapshot("ClosedPosition")];
  };
  const [first, second] = [await run(), await run()];
  expect(second).toEqual(first);
  expect(Object(first[2]).length).toBeGreaterThan(1);
});
