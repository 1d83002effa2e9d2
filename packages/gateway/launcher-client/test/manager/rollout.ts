import { randomUUID } from "node:crypto";
import type { SimulationStartRequest } from "@proj/gateway-protocol";
import {
  type EnvironmentRow,
  type JobStore,
  type NewSimulation,
  openJobStore,
} from "@proj/session-store";
import { startDemoUpstream } from "@proj/test-kit";
import { createGatewayClient, type GatewayClient } from "../../src/gateway/gateway-client.ts";
import {
  functionEvaluator,
  functionRuntime,
  type GivenResult,
  type LauncherEvent,
  SimulationManager,
  type SimulationManagerOptions,
} from "../../src/index.ts";
import { startGateway } from "../start-gateway.ts";
import { storageOf } from "../temporary-storage.ts";

/** A gateway with the routes `demo` and `unreachable`, and its storage opened as a launcher opens it. */
export interface Rollout extends AsyncDisposable {
  readonly gateway: GatewayClient;
  readonly store: JobStore;
  readonly db_url: string;
  /** A new job without simulations. */
  job(): TestJob;
}

export interface TestJob {
  /** By default, a manager with agents that take two steps and a score of 1. */
  manager(options?: Partial<SimulationManagerOptions>): SimulationManager;
  environments(): Promise<readonly EnvironmentRow[]>;
  /** The events of the job's managers. */
  readonly events: readonly LauncherEvent[];
}

export async function startRollout(): Promise<Rollout> {
  const upstream = await startDemoUpstream();
  const llm_routes = {
    demo: { base_url: upstream.url },
    unreachable: { base_url: "http://127.0.0.1:1/v1" },
  };
  const server = await startGateway({ config: { llm_routes } });
  const { url, db_url } = server;
  const gateway = createGatewayClient({ baseUrl: url });
  const store = await openJobStore(storageOf(db_url));
  return {
    gateway,
    store,
    db_url,
    job: () => testJob(store, gateway),
    async [Symbol.asyncDispose]() {
      gateway.end();
      await store.close();
      await server.close();
      await upstream.close();
    },
  };
}

function testJob(store: JobStore, gateway: GatewayClient): TestJob {
  const job_id = randomUUID();
  const events: LauncherEvent[] = [];
  return {
    events,
    manager: (options) =>
      new SimulationManager({
        store,
        gateway,
        job_id,
        llm_model: "demo",
        runtime: functionRuntime(takeTwoSteps),
        evaluator: functionEvaluator(() => 1),
        tell: (event) => events.push(event),
        ...options,
      }),
    environments: async () => (await store.readEnvironments({ job_id })).environments,
  };
}

export function simulations(count: number): NewSimulation[] {
  return Array.from({ length: count }, (_, index) => ({
    simulation_id: `s${index}`,
    env_name: null,
    env_params: JSON.stringify({ index }),
    group_id: null,
  }));
}

export async function takeTwoSteps({
  llm_base_url,
  llm_model,
}: SimulationStartRequest): Promise<GivenResult> {
  await takeStep(llm_base_url, llm_model);
  await takeStep(llm_base_url, llm_model);
  return { status: "completed", step_count: 2 };
}

export async function takeStep(llm_base_url: string, model: string): Promise<number> {
  const body = JSON.stringify({ model, messages: [{ role: "user", content: "19 + 23" }] });
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${llm_base_url}/chat/completions`, { method: "POST", headers, body });
  await answer.arrayBuffer();
  return answer.status;
}
