import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import type { ArenaEvent } from "./arena-event.ts";
import { rank, type Standing } from "./scoring/standing.ts";
import { type ArenaModel, openGateway } from "./services/open-gateway.ts";
import { openMarket } from "./services/open-market.ts";
import { openPoints } from "./services/open-points.ts";
import { Services } from "./services/services.ts";
import { runSimulations } from "./simulations/run-simulations.ts";
import { tradersOf } from "./traders/trader.ts";
import { Turns } from "./turns/turns.ts";

export interface ArenaOptions {
  /** Where databases and logs are kept; created if missing. */
  readonly folder: string;
  /** @default 4 */
  readonly traders?: number;
  /** Turns per trader. @default 32 */
  readonly rounds?: number;
  /** Market minutes between rounds. @default 15 */
  readonly stepMinutes?: number;
  /** Seeds the market, its fills and the built-in model. @default 1 */
  readonly seed?: number;
  /** Null: the small built-in model. @default null */
  readonly model?: ArenaModel | null;
  /** Longest turn, in milliseconds; a trader that takes longer is out. @default 300_000 */
  readonly turnTimeoutMs?: number;
  readonly tell?: (event: ArenaEvent) => void;
}

export interface ArenaResult {
  readonly standings: readonly Standing[];
  /** The traders of all arenas in this folder, best first, as the points server ranks them. */
  readonly league: readonly string[];
}

export interface Arena {
  readonly job_id: string;
  readonly db_url: string;
  /** Pages for spectators. The broker's URL includes the token it asks for. */
  readonly pages: { readonly console: string; readonly broker: string; readonly points: string };
  /** Each trader's account at the broker, by the trader's name. */
  readonly accounts: Readonly<Record<string, string>>;
  /**
   * Runs the arena to its end; call it once. An abort ends it early.
   * @throws the signal's reason
   */
  run(signal?: AbortSignal): Promise<ArenaResult>;
  close(): Promise<void>;
}

/** Model answers per trader and round, on average, that the budget allows. */
const stepsPerRound = 12;

/** Opens the market, the gateway and the points server; trading starts with `run`. */
export async function openArena(options: ArenaOptions): Promise<Arena> {
  const { traders: count = 4, rounds = 32, stepMinutes = 15, seed = 1, model = null } = options;
  const { turnTimeoutMs = 300_000, tell = () => {} } = options;
  const folder = resolve(options.folder);
  const traders = tradersOf(count);
  const services = new Services();
  try {
    await mkdir(folder, { recursive: true });
    const market = await openMarket(services, traders, seed);
    const max_steps = stepsPerRound * (rounds + 1);
    const gateway = await openGateway(services, { folder, model, seed, max_steps });
    const points = await openPoints(services, folder);
    const job_id = `arena-${Date.now()}-${randomBytes(4).toString("hex")}`;
    const turns = new Turns({
      ...{ traders: traders.map(({ name }) => name), rounds, turnTimeoutMs },
      onLate: (trader) => tell({ event: "trader_late", trader }),
      onRoundOver: (round) => {
        market.pass(stepMinutes * 60_000);
        const equity = traders.map((trader) => [trader.name, market.equityOf(trader)]);
        tell({ event: "round_over", round, rounds, equity: Object.fromEntries(equity) });
      },
    });
    const { db_url } = gateway;
    const arena = { job_id, market, gateway, traders, turns, rounds, stepMinutes, seed, tell };
    return {
      ...{ job_id, db_url },
      pages: { console: `${gateway.url}/console`, broker: market.page, points: points.url },
      accounts: Object.fromEntries(
        traders.map((trader) => [trader.name, market.accountOf(trader)]),
      ),
      run: async (signal = new AbortController().signal) => {
        const standings = rank(await runSimulations(arena, signal));
        return { standings, league: await points.push(job_id, standings) };
      },
      close: () => {
        turns.end();
        return services.close();
      },
    };
  } catch (error) {
    await services.close();
    throw error;
  }
}
