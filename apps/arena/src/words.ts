import { table } from "@proj/program";
import type { ArenaEvent } from "./arena-event.ts";
import type { Arena } from "./open-arena.ts";
import type { Standing } from "./scoring/standing.ts";

// Only the ranking, which is reproducible, goes to standard output; everything else to standard error.

/** Prints where to watch. */
export function announce({ pages, accounts, job_ids, db_url }: Arena): void {
  const traders = Object.entries(accounts).map(([trader, account]) => `${trader} ${account}`);
  const lines = [
    `arena    ${pages.arena}`,
    `console  ${pages.console}`,
    ...pages.brokers.map((broker) => `broker   ${broker}`),
    `account  ${traders.join("  ")}`,
    `points   ${pages.points}/`,
    ...job_ids.map((job_id) => `job      ${job_id}`),
    `rows     ${db_url}`,
  ];
  console.error(lines.join("\n"));
}

export function logEvent(event: ArenaEvent): void {
  console.error(eventText(event));
}

function eventText(event: ArenaEvent): string {
  switch (event.event) {
    case "round_over": {
      const { match, matches, round, rounds, equity } = event;
      const money = Object.entries(equity).map(([name, worth]) => `${name} ${worth.toFixed(2)}`);
      const where = matches === 1 ? "" : `match ${match} of ${matches}, `;
      return `${where}round ${round} of ${rounds}  ${money.join("  ")}`;
    }
    case "trader_late":
      return `${event.trader} took too long and is out`;
    case "trader_failed":
      return `${event.trader} failed: ${event.error}`;
  }
}

const columns = [
  { title: "rank", align: "right" },
  { title: "trader" },
  { title: "reward", align: "right" },
  { title: "return", align: "right" },
  { title: "drawdown", align: "right" },
  { title: "equity", align: "right" },
  { title: "trades", align: "right" },
  { title: "steps", align: "right" },
] as const;

export function standingsText(standings: readonly Standing[]): string {
  const percent = (share: number): string => `${(share * 100).toFixed(3)} %`;
  const rows = standings.map(({ rank, trader, reward, equity, trades, steps, ...shares }) => [
    ...[String(rank), trader, reward === null ? "failed" : reward.toFixed(3)],
    ...[percent(shares.return), percent(shares.max_drawdown), equity.toFixed(2)],
    ...[String(trades), String(steps)],
  ]);
  return table(columns, rows);
}
