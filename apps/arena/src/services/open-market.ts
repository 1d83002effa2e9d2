import { randomBytes } from "node:crypto";
import { type PaperBroker, startPaperBroker } from "@proj/paper-broker";
import { connectTrading } from "@proj/trading-client";
import { createTradingMcp, serveMcpHttp } from "@proj/trading-mcp";
import { onlyInTurn, withNextRound } from "../traders/next-round.ts";
import type { Trader } from "../traders/trader.ts";
import type { Turns } from "../turns/turns.ts";
import type { AccountStory } from "./account-story.ts";
import type { Services } from "./services.ts";

/** A Monday morning in London; a fixed beginning makes the market the same each time. */
const begin = "2026-01-12T08:00:00Z";
const historyHours = 8;
const startBalance = 50_000;
const tickIntervalMs = 5_000;
const reportTimeoutMs = 60_000;
/** Without latency: an order would wait for the market to move, and the market waits for its trader. */
const fills = {
  slippage_share: 0.25,
  slippage_pips: 0.3,
  commission: 0.03,
  negative_balance_protection: true,
} as const;

export interface ArenaMarket {
  /** URL of the broker's page, including its token. */
  readonly page: string;
  readonly now: () => number;
  /** A trader's account id. */
  accountOf(trader: Trader): string;
  pass(milliseconds: number): void;
  equityOf(trader: Trader): number;
  /** The broker's report on a trader's account. */
  account(trader: Trader): Promise<AccountStory>;
  /** Serves the trader's own tools, behind its own token. */
  serveTools(
    trader: Trader,
    turns: Turns,
  ): Promise<{ readonly url: string; readonly token: string }>;
}

/** Opens a market that moves only on demand, with one account per trader. */
export async function openMarket(
  services: Services,
  traders: readonly Trader[],
  seed: number,
): Promise<ArenaMarket> {
  const token = randomBytes(20).toString("hex");
  const accountOf = ({ name }: Trader): string =>
    String(1000 + traders.findIndex((trader) => trader.name === name));
  const broker = services.add(
    await startPaperBroker({
      tokens: [token],
      accounts: traders.map((trader) => ({ account_id: accountOf(trader), balance: startBalance })),
      prices: { type: "simulated", seed, start: begin, tick_interval_ms: tickIntervalMs },
      properties: traders.map((trader) => ({
        ...{ name: `account_label_${accountOf(trader)}`, value: trader.name },
      })),
      ...{ history_hours: historyHours, fill_model: { ...fills, seed }, speed: 0 },
    }),
    (opened) => opened.close(),
  );
  const { market, url } = broker;
  const client = services.add(await connectTrading({ url, token }), (opened) => opened.close());
  const symbols = market.snapshot("Offer").map(({ currency }) => currency);
  return {
    page: `${url}/#token=${token}`,
    now: () => market.now,
    accountOf,
    pass: (milliseconds) => market.advanceTo(market.now + milliseconds),
    equityOf: (trader) => equityIn(broker, accountOf(trader)),
    account: (trader) => readReport(url, token, accountOf(trader)),
    serveTools: async (trader, turns) => {
      const tools = { trader: trader.name, turns, symbols, now: () => market.now };
      const options = { account_id: accountOf(trader), beforeCall: onlyInTurn(tools) };
      const factory = withNextRound(createTradingMcp(client, options), tools);
      const own = randomBytes(20).toString("hex");
      const server = await serveMcpHttp(factory, { token: own });
      services.add(server, (opened) => opened.close());
      return { url: server.url, token: own };
    },
  };
}

function equityIn({ market }: PaperBroker, account_id: string): number {
  const row = market.snapshot("Account").find(({ accountId }) => accountId === account_id);
  return row?.equity ?? 0;
}

async function readReport(url: string, token: string, account_id: string): Promise<AccountStory> {
  const query = new URLSearchParams({ account_id });
  const response = await fetch(`${url}/control/report?${query}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(reportTimeoutMs),
  });
  if (!response.ok) throw new Error(`the broker gave no report: ${response.status}`);
  const { summary, equity, trades } = (await response.json()) as AccountStory;
  return { summary, equity, trades };
}
