import { defaultInstruments, type PaperMarketOptions } from "@proj/paper-broker";

export const TOKEN = "token-of-the-soak";

/** In dollars: enough for anything that the bots order. */
export const startBalance = 1_000_000;

export const accountOf = (bot: number): string => String(1_000_000 + bot);

/** A market that fills and closes in parts, with an account for each bot. */
export function soakMarket(bots: number): PaperMarketOptions {
  return {
    accounts: Array.from({ length: bots }, (_, bot) => ({
      account_id: accountOf(bot),
      balance: startBalance,
      hedging: true,
    })),
    instruments: defaultInstruments.map((instrument) => ({
      ...instrument,
      // Used up by the bots, so that trades are closed in parts and orders wait for the rest.
      liquidity: { amount: 3, step: 0.1, levels: 12, recovery_ms: 1000 },
    })),
    prices: { type: "random_walk", seed: 11, start: "2026-01-12T10:00:00Z" },
    hours: null,
    speed: 0,
    // The table is full after the first minutes, and from then on the bots' mirrors of it do not grow.
    limits: { closedPositions: 200 },
  };
}
