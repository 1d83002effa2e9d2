/** A child process of the soak: bots with the real client, each with its own account. */

import { setTimeout as delay } from "node:timers/promises";
import {
  connectTrading,
  type Table,
  type TableModel,
  type TradingClient,
} from "@proj/trading-client";
import { seededRandom } from "../statistics.ts";
import { memoryNow } from "./memory-now.ts";
import { SoakBot } from "./soak-bot.ts";
import { accountOf, TOKEN } from "./soak-market.ts";
import type { BotNews, BotsOrder, BotsReport } from "./soak-protocol.ts";

const models = [
  "Offer",
  "OpenPosition",
  "ClosedPosition",
  "Order",
  "OCO",
  "Summary",
  "Account",
] as const;
const [url = "", bots = "1", seed = "1"] = process.argv.slice(2);

process.on("unhandledRejection", (reason) => process.send?.({ unhandled: String(reason) }));
const tell = (news: BotNews): void => void process.send?.({ news });
const random = seededRandom(Number(seed));
const counts = { reconnects: 0, prices: 0, changes: 0 };

interface Running {
  readonly client: TradingClient;
  readonly bot: SoakBot;
  readonly tables: readonly Table<TableModel>[];
  readonly ended: Promise<void>;
}

async function start(account: string): Promise<Running> {
  const reconnect = { reconnectMinDelayMs: 5, reconnectMaxDelayMs: 200 };
  const client = await connectTrading({ url, token: TOKEN, ...reconnect });
  client.on("reconnected", () => {
    counts.reconnects += 1;
  });
  client.on("price", () => {
    counts.prices += 1;
  });
  client.on("unreadable", ({ error }) => tell({ kind: "failed", what: error.message }));
  client.on("closed", ({ error }) => {
    if (error !== null) tell({ kind: "failed", what: error.message });
  });
  const tables: Table<TableModel>[] = [];
  for (const model of models) {
    client.on(model, () => {
      counts.changes += 1;
    });
    tables.push(await client.subscribeTable<TableModel>(model));
  }
  const bot = new SoakBot(client, account, random, tell);
  const ended = bot
    .run()
    .catch((error: unknown) => tell({ kind: "failed", what: `${account} stopped: ${error}` }));
  return { client, bot, tables, ended };
}

/** While the market does not move: the last pushes take effect within seconds. */
async function wrongMirrors({ client, tables }: Running): Promise<string[]> {
  const wrong: string[] = [];
  for (const { model, rows } of tables) {
    let isRight = false;
    for (let tries = 0; !isRight && tries < 50; tries += 1) {
      if (tries > 0) await delay(100);
      isRight = textOf(await client.snapshot(model)) === textOf([...rows.values()]);
    }
    if (!isRight) wrong.push(model);
  }
  return wrong;
}

/** Rows and members in a fixed order. */
const textOf = (rows: readonly object[]): string =>
  JSON.stringify(
    rows
      .map((row) => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))))
      .sort(),
  );

async function finish(): Promise<BotsReport> {
  const mirrors: string[] = [];
  for (const { bot } of running) bot.end();
  for (const each of running) {
    await each.ended;
    mirrors.push(...(await wrongMirrors(each)));
    await each.client.close();
  }
  return { ...counts, mirrors };
}

const running: Running[] = [];
for (let bot = 0; bot < Number(bots); bot += 1) running.push(await start(accountOf(bot)));

process.on("message", async (order: BotsOrder) => {
  if ("turn" in order) process.send?.({ turn: true });
  else if ("memory" in order) process.send?.({ memory: await memoryNow() });
  else process.send?.({ finish: await finish() });
});
for (const end of ["SIGTERM", "disconnect"]) process.on(end, () => process.exit(0));
process.send?.({ ready: true });
