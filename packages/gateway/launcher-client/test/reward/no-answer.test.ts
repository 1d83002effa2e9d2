import { openJobStore } from "@proj/session-store";
import { chatCompletion, startFaultyUpstream } from "@proj/test-kit";
import { expect, onTestFinished, test } from "vitest";
import { createGatewayClient } from "../../src/gateway/gateway-client.ts";
import { functionEvaluator, functionRuntime, SimulationManager } from "../../src/index.ts";
import { simulations } from "../manager/rollout.ts";
import { startGateway } from "../start-gateway.ts";
import { storageOf } from "../temporary-storage.ts";

const nothings: readonly (readonly [string, readonly string[] | object])[] = [
  ["a stream of only [DONE]", ["data: [DONE]\n\n"]],
  [
    "a stream of usage",
    ['data: {"choices":[],"usage":{"prompt_tokens":1}}\n\n', "data: [DONE]\n\n"],
  ],
  ["empty choices", { id: "c", object: "chat.completion", choices: [] }],
  ["an error beside empty choices", { choices: [], error: { message: "no GPU" } }],
];

test.each(nothings)(
  "%s after an answer is a failure of the infrastructure, and no step gets a reward",
  async (_what, nothing) => {
    await using upstream = await startFaultyUpstream();
    upstream.script(
      (_request, reply) => void reply.json(chatCompletion()),
      (_request, reply) => {
        void (Array.isArray(nothing) ? reply.events(nothing) : reply.json(nothing));
      },
    );
    const llm_routes = { policy: { base_url: upstream.url } };
    await using server = await startGateway({ config: { llm_routes } });
    using gateway = createGatewayClient({ baseUrl: server.url });
    const store = await openJobStore(storageOf(server.db_url));
    onTestFinished(() => store.close());
    const runtime = functionRuntime(async ({ llm_base_url, llm_model }) => {
      for (const stream of [false, Array.isArray(nothing)]) {
        const body = JSON.stringify({ model: llm_model, stream, messages: [] });
        const answer = await fetch(`${llm_base_url}/chat/completions`, { method: "POST", body });
        expect(answer.status).toBe(200);
        await answer.text();
      }
      return { status: "completed" };
    });
    const manager = new SimulationManager({
      ...{ store, gateway, runtime, job_id: "job", llm_model: "policy" },
      evaluator: functionEvaluator(() => 1),
      infrastructureAttempts: 1,
    });
    await manager.add(simulations(1));
    expect(await manager.run()).toMatchObject({ finished: 0, failed: 0, infrastructure: 1 });
    const [environment] = (await store.readEnvironments({ job_id: "job" })).environments;
    const { steps } = await store.readSteps({ session_id: environment?.session_id ?? "" });
    expect(steps.map(({ step_id, status_code, reward }) => [step_id, status_code, reward])).toEqual(
      [
        [1, 200, null],
        [2, 502, null],
      ],
    );
  },
);
