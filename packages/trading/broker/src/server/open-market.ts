import { existsSync } from "node:fs";
import type { PaperMarketOptions } from "../market/market-options.ts";
import { openPaperMarket, type PaperMarket } from "../market/paper-market.ts";

const hourMs = 60 * 60_000;

/**
 * Opens the market.
 * @param historyHours hours of generated price history in a new market
 * @throws TypeError an invalid configuration
 * @throws StateError the state file cannot be used
 * @throws PriceFileError the price file cannot be read
 */
export function openMarket(options: PaperMarketOptions, historyHours: number): PaperMarket {
  if (!(historyHours >= 0 && Number.isFinite(historyHours))) {
    throw new TypeError(`history_hours must not be negative, but is ${historyHours}`);
  }
  const { prices = { type: "simulated" }, state_file = null } = options;
  const isStored = state_file !== null && existsSync(state_file);
  if (prices.type === "csv" || historyHours === 0 || isStored) {
    return openPaperMarket(options);
  }
  const historyMs = historyHours * hourMs;
  const start =
    prices.start === undefined ? Date.now() - historyMs : new Date(prices.start).getTime();
  const market = openPaperMarket(options, start);
  market.drawHistory(start + historyMs);
  return market;
}
