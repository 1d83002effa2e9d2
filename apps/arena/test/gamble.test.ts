import { defaultInstruments, openPaperMarket } from "@proj/paper-broker";
import { expect, test } from "vitest";
import { rewardOf } from "../src/scoring/standing.ts";

const account_id = "1000";
const terms = {
  account_id,
  symbol: "EUR/USD",
  order_type: "AtMarket",
  time_in_force: "GTC",
} as const;
const minuteMs = 60_000;
const rounds = 32;

/** Tosses a coin in each of the first rounds, with an amount, on a market like the arena's. */
function toss(seed: number, amount: number, tosses: number): number {
  const balance = 50_000;
  const market = openPaperMarket({
    accounts: [{ account_id, balance }],
    instruments: defaultInstruments.slice(0, 1),
    prices: { type: "simulated", seed, start: "2026-01-12T08:00:00Z", tick_interval_ms: 60_000 },
    fill_model: {
      slippage_share: 0.25,
      slippage_pips: 0.3,
      commission: 0.03,
      seed,
      negative_balance_protection: true,
    },
    speed: 0,
  });
  const equities: number[] = [];
  const equity = (): number => market.snapshot("Account")[0]?.equity ?? 0;
  market.advanceTo(market.now + minuteMs);
  for (let round = 0; round < rounds; round += 1) {
    const is_buy = ((seed * 7919 + round * 104_729) >> 3) % 2 === 0;
    if (round < tosses) market.execute("open_trade", { ...terms, is_buy, amount });
    for (let minute = 0; minute < 15; minute += 1) {
      market.advanceTo(market.now + minuteMs);
      equities.push(equity());
    }
    if (round < tosses) market.execute("close_all_for_symbol", { ...terms, forSymbol: true });
    equities.push(equity());
  }
  market.close();
  let [peak, share] = [balance, 0];
  for (const value of equities) {
    peak = Math.max(peak, value);
    share = Math.max(share, (peak - value) / peak);
  }
  return rewardOf({ return: equity() / balance - 1, max_drawdown_share: share });
}

test.each([
  ["all the margin once", 1300, 1],
  ["all the margin in every round", 1300, rounds],
  ["a little in every round", 20, rounds],
])(
  "a coin toss with %s earns less than doing nothing, on average over 60 seeds",
  (_, amount, tosses) => {
    const rewards = Array.from({ length: 60 }, (__, index) => toss(index + 1, amount, tosses));
    const mean = rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
    const deviation = Math.sqrt(
      rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0) / 60,
    );
    // Not by luck: two standard errors below.
    expect(mean + (2 * deviation) / Math.sqrt(60)).toBeLessThan(0);
    expect(Math.min(...rewards)).toBeGreaterThanOrEqual(-2);
    expect(Math.max(...rewards)).toBeLessThan(1);
  },
);
