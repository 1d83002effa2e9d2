import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { isLeftOutWithoutPython, pythonWith } from "@proj/test-kit";
import { describe, expect, test } from "vitest";
import { accountId, serveBroker, start, token } from "../server/served-broker.ts";

// Bots written in Python, over the libraries of the known wrappers, which are not on PyPI themselves.

const folder = fileURLToPath(new URL(".", import.meta.url));
const requirements = await readFile(`${folder}requirements.txt`, "utf8");
const packages = requirements.split("\n").filter((line) => /^\w/.test(line));
const python = await pythonWith(packages, { isWhole: true });

describe.skipIf(isLeftOutWithoutPython("clients in Python", python))("clients in Python", () => {
  /** Runs a bot against a moving market. @returns what it prints */
  async function run(bot: string, times: number): Promise<unknown[]> {
    await using broker = await serveBroker({ speed: 10, hours: null });
    return await told(bot, broker.url, times);
  }

  async function told(bot: string, url: string, times: number): Promise<unknown[]> {
    const results: unknown[] = [];
    for (let time = 0; time < times; time += 1)
      results.push(JSON.parse((await python?.runFile(`${folder}${bot}`, url, token)) ?? ""));
    return results;
  }

  test("one that listens for the connection after it is open connects each time, and trades", async () => {
    const insert = { action: "I", status: 2, tradeId: expect.stringMatching(/^\d+$/) };
    const told = { account: accountId, hasCandles: true, insert };
    expect(await run("late_handler.py", 3)).toEqual([told, told, told]);
  });

  test("one that loses what comes together with the handshake connects, and reads the trade of the insert", async () => {
    const told = { offers: 8, closed: true };
    expect(await run("one_chunk.py", 3)).toEqual([told, told, told]);
  });

  test("a backtest makes the same orders and ends with the same cent, each time", async () => {
    const runs: unknown[] = [];
    for (let time = 0; time < 2; time += 1) {
      await using broker = await serveBroker({ prices: { type: "simulated", seed: 7, start } });
      runs.push(...(await told("backtest.py", broker.url, 1)));
    }
    const [first] = runs;
    expect(runs).toEqual([first, first]);
    expect(Object(first).orders.length).toBeGreaterThan(4);
  });

  test("the oldest wrapper's library receives prices", async () => {
    expect(await run("old_wrapper.py", 1)).toEqual([{ pairs: 1, symbol: "EUR/USD" }]);
  });
});
