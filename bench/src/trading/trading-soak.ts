import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { openPaperMarket, type PaperMarket } from "@proj/paper-broker";
import { progress } from "../terminal/progress.ts";
import { quietSecond, SoakFaults } from "./soak-faults.ts";
import { type BrokerRows, SoakLedger } from "./soak-ledger.ts";
import { accountOf, soakMarket } from "./soak-market.ts";
import { SoakProcesses } from "./soak-processes.ts";
import type { Memory } from "./soak-protocol.ts";
import { tellSoak } from "./tell-soak.ts";

export interface TradingSoakOptions {
  /** Of market time. */
  readonly minutes: number;
  readonly bots: number;
  readonly seed: number;
}

/** When the broker is killed, as fractions of the first fifth. */
const killsAt = [0.3, 0.6] as const;

/**
 * Market time at full speed: each second begins as soon as broker and bots have had a turn since the
 * previous one. Each second of market time has a fault.
 * @returns the exit status: 1 if something was lost, a rejection was unhandled, or memory grew
 */
export async function runTradingSoak({ minutes, bots, seed }: TradingSoakOptions): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "trading-soak-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const stateFile = join(folder, "state.db");
  const ledger = new SoakLedger();
  const faults = new SoakFaults(seed);
  const unhandled: string[] = [];
  const processes = new SoakProcesses(bots, stateFile, {
    news: (news) => ledger.take(news),
    unhandled: (reason) => unhandled.push(reason),
  });
  const seconds = minutes * 60;
  const fifth = Math.ceil(seconds / 5);
  const half = Math.ceil(seconds / 2);
  const kills = new Set(killsAt.map((share) => Math.ceil(fifth * share)));
  const memories: Readonly<Record<string, Memory>>[] = [];
  const start = performance.now();
  try {
    await processes.start(seed);
    for (let second = 1; second <= seconds; second += 1) {
      if (kills.has(second)) {
        faults.count("SIGKILL of the broker");
        await processes.killBroker();
      } else await processes.tellBroker({ second: faults.next() });
      await processes.tellBots({ turn: true });
      if (second % 60 === 0) {
        const { placed, closings } = ledger;
        progress(
          `minute ${second / 60} of ${minutes}: ${placed.size} orders, ${closings} closings`,
        );
      }
      if (second !== half && second !== seconds) continue;
      await processes.tellBroker({ second: quietSecond });
      memories.push(await processes.memory());
    }
    const report = await processes.finishBots();
    const tables = await processes.tellBroker({ tables: true });
    await processes.stop();
    const rows = readState(stateFile, bots);
    const losses = [...ledger.losses(rows)];
    const stored = { OpenPosition: rows.open, Order: rows.orders, Account: rows.accounts };
    if (!isDeepStrictEqual(tables, stored)) {
      losses.push("the broker's tables are not those of its state file");
    }
    const wallSeconds = (performance.now() - start) / 1000;
    return tellSoak({
      ledger,
      faults,
      report,
      losses,
      unhandled,
      memories,
      wallSeconds,
      minutes,
    });
  } finally {
    await processes.stop();
  }
}

function readOpenings(market: PaperMarket, bots: number): ReadonlyMap<string, string> {
  const accountIds = Array.from({ length: bots }, (_, bot) => accountOf(bot));
  const query = { accountIds, since: 0, num: 100_000_000, type: "trade_opened" } as const;
  const openings = market.history.transactions(query);
  return new Map(openings.map(({ tradeId, orderId }) => [String(tradeId), String(orderId)]));
}

/** The state as the next broker would read it, with all positions that were ever closed. */
function readState(stateFile: string, bots: number): BrokerRows {
  const limits = { closedPositions: 100_000_000 };
  const market = openPaperMarket({ ...soakMarket(bots), state_file: stateFile, limits });
  try {
    return {
      accounts: market.snapshot("Account"),
      orders: market.snapshot("Order"),
      open: market.snapshot("OpenPosition"),
      closed: market.snapshot("ClosedPosition"),
      openedBy: readOpenings(market, bots),
    };
  } finally {
    market.close();
  }
}
