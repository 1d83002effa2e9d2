import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { closeServer, listen } from "@proj/program";
import type { ArenaEvent } from "./arena-event.ts";
import { createPageServer } from "./page/serve-page.ts";
import { overall, rank, type Standing } from "./scoring/standing.ts";
import { type ArenaModel, openGateway } from "./services/open-gateway.ts";
import { openMarket } from "./services/open-market.ts";
import { openPoints } from "./services/open-points.ts";
import { Services } from "./services/services.ts";
import { type ArenaParts, runSimulations } from "./simulations/run-simulations.ts";
import { tradersOf } from "./traders/trader.ts";
import { Turns } from "./turns/turns.ts";
import { ArenaFiles } from "./watching/arena-files.ts";
import { ArenaRecord } from "./watching/arena-record.ts";

export interface ArenaOptions {
  /** Where databases and logs are kept; created if missing. */
  readonly folder: string;
  /** @default 4 */
  readonly traders?: number;
  /** Turns per trader and match. @default 32 */
  readonly rounds?: number;
  /** Markets to trade on one after another, with a seed each; a standing is over all of them. @default 1 */
  readonly matches?: number;
  /** Market minutes between rounds. @default 15 */
  readonly stepMinutes?: number;
  /** Seeds the first market, its fills and the built-in model; each further match adds 1. @default 1 */
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
  /** The job of each match; `job_id` is the first one. */
  readonly job_ids: readonly string[];
  readonly job_id: string;
  readonly db_url: string;
  /** Pages for spectators. A broker's URL includes the token it asks for; there is one for each match. */
  readonly pages: {
    /** All traders: equity curves, trades and reasoning. */
    readonly arena: string;
    readonly console: string;
    readonly broker: string;
    readonly brokers: readonly string[];
    readonly points: string;
  };
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
  const { matches = 1 } = options;
  const { turnTimeoutMs = 300_000, tell = () => {} } = options;
  const folder = resolve(options.folder);
  const traders = tradersOf(count);
  const services = new Services();
  try {
    await mkdir(folder, { recursive: true });
    const max_steps = stepsPerRound * (rounds + 1);
    const gateway = await openGateway(services, { folder, model, seed, max_steps });
    const points = await openPoints(services, folder);
    const { db_url } = gateway;
    const started = Date.now();
    const base = `arena-${started}-${randomBytes(4).toString("hex")}`;
    const pages = { console: `${gateway.url}/console`, points: points.url };
    const record = new ArenaRecord(
      {
        ...{ job_id: base, started, seed, rounds, step_minutes: stepMinutes },
        ...{ model: model?.name ?? null, traders, pages },
      },
      new ArenaFiles(folder, base),
    );
    const openMatch = async (match: number) => {
      const market = await openMarket(services, traders, seed + match - 1);
      const job_id = matches === 1 ? base : `${base}-${match}`;
      record.addMatch(job_id, market);
      const told = (event: ArenaEvent): void => {
        record.hear(match, event);
        tell(event);
      };
      const turns = new Turns({
        ...{ traders: traders.map(({ name }) => name), rounds, turnTimeoutMs },
        onLate: (trader) => told({ event: "trader_late", trader }),
        onRoundOver: (round) => {
          market.pass(stepMinutes * 60_000);
          const equity = traders.map((trader) => [trader.name, market.equityOf(trader)]);
          const at = { match, matches, round, rounds };
          told({ event: "round_over", ...at, equity: Object.fromEntries(equity) });
        },
      });
      const shared = { gateway, traders, rounds, stepMinutes, seed: seed + match - 1, tell: told };
      const addMove: ArenaParts["addMove"] = (trader, text, calls) =>
        record.addMove(match, trader, text, calls);
      return { ...shared, job_id, market, turns, addMove };
    };
    const opened: Awaited<ReturnType<typeof openMatch>>[] = [];
    for (let match = 1; match <= matches; match += 1) opened.push(await openMatch(match));
    const [first] = opened;
    if (first === undefined) throw new TypeError(`matches must be at least 1, but is ${matches}`);
    const page = services.add(createPageServer(record), (server) => closeServer(server, 1_000));
    const brokers = opened.map(({ market }) => market.page);
    return {
      ...{ db_url, job_id: first.job_id, job_ids: opened.map(({ job_id }) => job_id) },
      pages: {
        ...{ ...pages, broker: first.market.page, brokers },
        arena: await listen(page, "127.0.0.1", 0),
      },
      accounts: Object.fromEntries(
        traders.map((trader) => [trader.name, first.market.accountOf(trader)]),
      ),
      run: async (signal = new AbortController().signal) => {
        const results: Omit<Standing, "rank">[] = [];
        for (const [index, match] of opened.entries()) {
          const ended = await runSimulations(match, signal);
          await record.endMatch(index + 1, ended);
          results.push(...ended);
        }
        const standings = rank(
          traders.map(({ name }) => overall(results.filter(({ trader }) => trader === name))),
        );
        await record.end(standings);
        return { standings, league: await points.push(base, standings) };
      },
      close: () => {
        for (const { turns } of opened) turns.end();
        return services.close();
      },
    };
  } catch (error) {
    await services.close();
    throw error;
  }
}
