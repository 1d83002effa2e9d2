import { existsSync } from "node:fs";
import type { PaperMarketOptions } from "../market/market-options.ts";
import { openPaperMarket, type PaperMarket } from "../market/paper-market.ts";

const hourMs = 60 * 60_000;

/**
 * Opens the market; a new one with a random walk has so many hours of prices behind it.
 * @throws TypeError the configuration makes no sense
 * @throws StateError the state file cannot be used
 * @throws PriceFileError the file of prices cannot be read
 */
export function openMarket(options: PaperMarketOptions, historyHours: number): PaperMarket {
  if (!(historyHours >= 0 && Number.isFinite(historyHours))) {
    throw new TypeError(`history_hours must not be negative, but is ${historyHours}`);
  }
  const { prices = { type: "random_walk" }, state_file = null } = options;
  const isStored = state_file !== null && existsSync(state_file);
  if (prices.type !== "random_walk" || historyHours === 0 || isStored) {
    return openPaperMarket(options);
  }
  const historyMs = historyHours * hourMs;
  const start =
    prices.start === undefined ? Date.now() - historyMs : new Date(prices.start).getTime();
  const market = openPaperMarket({ ...options, prices: { ...prices, start } });
  market.advanceTo(start + historyMs);
  return market;
}
