import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder, waitFor } from "@proj/test-kit";
import { describe, expect, it, onTestFinished } from "vitest";
import { openPaperMarket, type PaperMarket } from "../../src/market/paper-market.ts";
import { PriceFileError } from "../../src/market/price-file-error.ts";
import { StateError } from "../../src/state/state-error.ts";

async function open(lines: readonly string[], speed: number): Promise<PaperMarket> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const file = join(folder.path, "prices.csv");
  writeFileSync(file, ["time,symbol,bid,ask", ...lines].join("\n"));
  const market = openPaperMarket({
    accounts: [{ account_id: "1", balance: 1000 }],
    prices: { type: "csv", file },
    hours: null,
    speed,
  });
  onTestFinished(() => market.close());
  return market;
}

const start = Date.parse("2026-01-12T10:00:00Z");
const lines = [1.1, 1.2, 1.3].map((bid, index) => `${start + index * 1000},EUR/USD,${bid},${bid}`);
const order = {
  account_id: "1",
  symbol: "EUR/USD",
  is_buy: true,
  amount: 1,
  order_type: "AtMarket",
  time_in_force: "GTC",
} as const;

describe("a market with prices from a file", () => {
  it("begins at the first price, fills at the prices, and goes on after the last", async () => {
    const market = await open(lines, 0);
    expect(market.now).toBe(start);
    market.advanceTo(start);
    market.execute("open_trade", order);
    market.advanceTo(start + 3_600_000);
    expect(market.now).toBe(start + 3_600_000);
    expect(market.snapshot("OpenPosition")[0]).toMatchObject({ open: 1.1, close: 1.3 });
  });

  it("stops at an unreadable price and says why", async () => {
    const market = await open([...lines, `${start + 3000},EUR/USD,none,none`], 100);
    const failures: Error[] = [];
    market.subscribe({ failed: (error) => failures.push(error) });
    market.start();
    await waitFor(() => failures.length > 0, "the market to fail");
    expect(failures[0]).toBeInstanceOf(PriceFileError);
    expect(() => market.execute("open_trade", order)).toThrow(StateError);
    expect(() => market.advanceTo(start + 10_000)).toThrow(/has stopped.*not a rate/);
  });
});
