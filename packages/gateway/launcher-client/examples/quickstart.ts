// One job of three simulations, against a running gateway (`npm start` starts one).
import assert from "node:assert/strict";
import {
  createGatewayClient,
  functionEvaluator,
  functionRuntime,
  preflight,
  SimulationManager,
} from "@proj/launcher-client";
import { openJobStore } from "@proj/session-store";
import OpenAI from "openai";

const baseUrl = process.env.GATEWAY_URL ?? "http://127.0.0.1:8000";
const db_url = process.env.DB_URL ?? "sqlite://data/gateway.db";
const storage = { storage_type: "sqlite", storage_config: { db_url } } as const;

const gateway = createGatewayClient({ baseUrl });
const store = await openJobStore(storage);
const readStorageId = async () => store.storage_id;
await preflight({ gateway, ...storage, db_url, readStorageId, llm_model: "demo" });

const runtime = functionRuntime(async ({ llm_base_url, llm_model: model, env_params }) => {
  const openai = new OpenAI({ baseURL: llm_base_url, apiKey: "none" });
  const content = `What is ${JSON.stringify(env_params)} + 1?`;
  await openai.chat.completions.create({ model, messages: [{ role: "user", content }] });
  return { status: "completed", step_count: 1 };
});

const evaluator = functionEvaluator(async ({ simulation, steps }) => {
  for await (const { response } of steps()) {
    if (response?.includes(String(Number(simulation.env_params) + 1))) return 1;
  }
  return 0;
});

const job_id = `quickstart-${Date.now()}`;
const manager = new SimulationManager({
  ...{ store, gateway, job_id, llm_model: "demo", runtime, evaluator },
  tell: (event) => console.log(event.event, "simulation_id" in event ? event.simulation_id : ""),
});
await manager.add(
  [20, 41, 99].map((number) => ({
    simulation_id: `add-one-to-${number}`,
    env_name: "sums",
    env_params: JSON.stringify(number),
    group_id: null,
  })),
);
const job = await manager.run();
assert.equal(job.finished, 3);
assert.equal(job.mean_reward, 1);

gateway.end();
await store.close();
