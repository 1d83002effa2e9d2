import {
  createGatewayClient,
  functionEvaluator,
  functionRuntime,
  preflight,
  SimulationManager,
} from "@proj/launcher-client";
import { openJobStore } from "@proj/session-store";
import type { ArenaEvent } from "../arena-event.ts";
import { rewardOf, type Standing } from "../scoring/standing.ts";
import { type ArenaGateway, route } from "../services/open-gateway.ts";
import type { ArenaMarket } from "../services/open-market.ts";
import type { Move } from "../traders/move.ts";
import { type Playing, play } from "../traders/play.ts";
import type { Trader } from "../traders/trader.ts";
import type { Turns } from "../turns/turns.ts";

export interface ArenaParts {
  readonly job_id: string;
  readonly market: ArenaMarket;
  readonly gateway: ArenaGateway;
  readonly traders: readonly Trader[];
  readonly turns: Turns;
  readonly rounds: number;
  readonly stepMinutes: number;
  readonly seed: number;
  readonly tell: (event: ArenaEvent) => void;
  /** Gets each answer of a trader's model, with the tools it called. */
  readonly addMove: (trader: string, text: string, calls: Move["calls"]) => void;
}

/** In effect no limit: turns have their own time-outs. */
const simulationMs = 2_000_000_000;
/** For the tool itself, beside its wait for a turn. */
const toolGraceMs = 60_000;
/** The longest delay of a timer, about 24 days. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * Runs each trader as a simulation of a job with its own session, and has the launcher commit its reward.
 * @throws the signal's reason
 */
export async function runSimulations(
  arena: ArenaParts,
  signal: AbortSignal,
): Promise<readonly Omit<Standing, "rank">[]> {
  const { job_id, market, traders, turns, rounds, stepMinutes, seed, tell, addMove } = arena;
  const { db_url, url: baseUrl } = arena.gateway;
  const steps = new Map<string, number>();
  const rewards = new Map<string, number>();
  const runtime = functionRuntime(async (request, { signal: ending }) => {
    const trader = traders.find(({ name }) => name === request.simulation_id);
    if (trader === undefined) throw new Error(`there is no trader ${request.simulation_id}`);
    const late = turns.late(trader.name);
    const onAnswer = (): unknown => steps.set(trader.name, (steps.get(trader.name) ?? 0) + 1);
    const onMove: Playing["onMove"] = (text, calls) => addMove(trader.name, text, calls);
    try {
      const mcp = await market.serveTools(trader, turns);
      const { llm_base_url: baseURL, llm_model: model, llm_api_key } = request;
      const llm = { baseURL, model, apiKey: llm_api_key ?? "none" };
      const toolTimeoutMs = Math.min(turns.maxWaitMs + toolGraceMs, maxTimerMs);
      const shared = { trader, rounds, stepMinutes, mcp, llm, toolTimeoutMs, onAnswer, onMove };
      await play({ ...shared, signal: AbortSignal.any([ending, late]) });
    } catch (error) {
      // It is out, but its account counts.
      if (!late.aborted) throw error;
    } finally {
      turns.leave(trader.name);
      // Open positions are valued at the final market prices.
      await turns.over;
    }
    return { status: "completed", step_count: steps.get(trader.name) ?? 0 };
  });
  const evaluator = functionEvaluator(async ({ simulation }) => {
    const trader = traders.find(({ name }) => name === simulation.simulation_id);
    if (trader === undefined) throw new Error(`there is no trader ${simulation.simulation_id}`);
    const { summary: report } = await market.account(trader);
    return { score: rewardOf(report), details: { report } };
  });

  const storage = { storage_type: "sqlite", storage_config: { db_url } } as const;
  const gateway = createGatewayClient({ baseUrl });
  const store = await openJobStore(storage);
  const end = (): void => turns.end();
  signal.addEventListener("abort", end, { once: true });
  try {
    const readStorageId = async (): Promise<string> => store.storage_id;
    await preflight({ gateway, ...storage, db_url, readStorageId, llm_model: route, signal });
    const manager = new SimulationManager({
      ...{ store, gateway, job_id, llm_model: route, runtime, evaluator },
      concurrency: traders.length,
      // The market does not go back for a trader that failed.
      infrastructureAttempts: 1,
      timeouts: { simulationMs },
      tell: (event) => {
        if (event.event === "simulation_finished") rewards.set(event.simulation_id, event.reward);
        if (event.event === "simulation_failed" || event.event === "infrastructure_failed")
          tell({ event: "trader_failed", trader: event.simulation_id, error: event.error });
      },
    });
    const env_params = (trader: Trader): string =>
      JSON.stringify({ style: trader.style, rounds, step_minutes: stepMinutes, seed });
    await manager.add(
      traders.map((trader) => ({
        simulation_id: trader.name,
        env_name: "arena",
        env_params: env_params(trader),
        group_id: job_id,
      })),
    );
    turns.start();
    await manager.run(signal);
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener("abort", end);
    gateway.end();
    await store.close();
  }
  return Promise.all(
    traders.map(async (trader) => {
      const { summary: report } = await market.account(trader);
      return {
        trader: trader.name,
        reward: rewards.get(trader.name) ?? null,
        return: report.return ?? 0,
        max_drawdown: report.max_drawdown_share,
        equity: report.equity,
        trades: report.trades,
        steps: steps.get(trader.name) ?? 0,
      };
    }),
  );
}
