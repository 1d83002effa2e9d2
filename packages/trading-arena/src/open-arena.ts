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
  /** Where databases and logs are; it is made. */
  readonly folder: string;
  /** @default 4 */
  readonly traders?: number;
  /** Turns of each trader. @default 32 */
  readonly rounds?: number;
  /** Market time from one round to the next. @default 15 */
  readonly stepMinutes?: number;
  /** Of the market, of its fills and of the built-in model. @default 1 */
  readonly seed?: number;
  /** Null: a small model that is built in. @default null */
  readonly model?: ArenaModel | null;
  /** How long a turn may last before its trader is out, in milliseconds. @default 300_000 */
  readonly turnTimeoutMs?: number;
  readonly tell?: (event: ArenaEvent) => void;
}

export interface ArenaResult {
  readonly standings: readonly Standing[];
  /** The traders of all arenas of this folder as the points server ranks them, the first one first. */
  readonly league: readonly string[];
}

export interface Arena {
  readonly job_id: string;
  readonly db_url: string;
  /** Where people look on. That of the broker has the token that opens it. */
  readonly pages: { readonly console: string; readonly broker: string; readonly points: string };
  /**
   * Plays to the end, once; an abort ends it.
   * @throws the signal's reason
   */
  run(signal?: AbortSignal): Promise<ArenaResult>;
  close(): Promise<void>;
}

/** Answers of the model that a trader has for a round on average, before its budget is used up. */
const stepsOfRound = 12;

/** Opens market, gateway and points server; nobody trades before `run`. */
export async function openArena(options: ArenaOptions): Promise<Arena> {
  const { traders: count = 4, rounds = 32, stepMinutes = 15, seed = 1, model = null } = options;
  const { turnTimeoutMs = 300_000, tell = () => {} } = options;
  const folder = resolve(options.folder);
  const traders = tradersOf(count);
  const services = new Services();
  try {
    await mkdir(folder, { recursive: true });
    const market = await openMarket(services, traders, seed);
    const max_steps = stepsOfRound * (rounds + 1);
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
