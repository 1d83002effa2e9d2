import { fileURLToPath } from "node:url";
import { startProcess } from "@proj/test-kit";
import { expect, test } from "vitest";
import { serveBroker, token } from "./server/served-broker.ts";

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
