import {
  createGatewayClient,
  functionEvaluator,
  functionRuntime,
  SimulationManager,
} from "@proj/launcher-client";
import { openJobStore } from "@proj/session-store";
import { startDemoUpstream, waitFor, within } from "@proj/test-kit";
import OpenAI from "openai";
import { describe, expect, onTestFinished, test } from "vitest";
import { ask, type GotStep } from "./agent.ts";
import { isWithoutHaproxy } from "./balancer.ts";
import { apiKey, model, post, Site, sessionClient } from "./site.ts";
import { expectStoredOnce, missingNumbers } from "./stored-steps.ts";

const sessions = 16;
/** Callers at once in one session, so that a number can be missing below a larger one that is stored. */
const callers = 2;
const stepsOfCaller = 10;

describe.skipIf(isWithoutHaproxy)("a gateway behind HAProxy is killed", () => {
  test("answers that a caller received in full are stored once, no number repeats, and every session closes", async () => {
    await using upstream = await startDemoUpstream({ delayMs: 15, tokenDelayMs: 1 });
    await using site = await Site.start({ upstreamUrl: upstream.url });
    const ids = Array.from({ length: sessions }, (_, number) => `killed-${number}`);
    const got: GotStep[] = [];
    const open = new Map<string, number>();
    let broken = 0;

    const step = async (session_id: string, question: string, stream: boolean): Promise<void> => {
      open.set(session_id, (open.get(session_id) ?? 0) + 1);
      const openai = sessionClient(site.balancer.url, session_id);
      for (;;) {
        try {
          got.push(await ask(openai, question, { stream }));
          break;
        } catch (error) {
          // Once a stream has begun, the agent must repeat the request; its client does not.
          if (!stream || broken++ > sessions * callers) throw error;
        }
      }
      open.set(session_id, (open.get(session_id) ?? 0) - 1);
    };
    const caller = async (session_id: string, name: string): Promise<void> => {
      for (let number = 0; number < stepsOfCaller; number += 1)
        await step(session_id, `${name} asks ${number}`, number % 3 === 0);
    };
    const all = Promise.all(
      ids.flatMap((id) => Array.from({ length: callers }, (_, n) => caller(id, `${id}/${n}`))),
    );

    await Promise.race([all, waitFor(() => got.length >= sessions * callers * 3, "some steps")]);
    const held = new Set(await site.sessionsAt(site.first));
    expect(held.size).toBeGreaterThan(0);
    expect(held.size).toBeLessThan(sessions);
    const inFlight = new Map(open);
    site.first.program.kill("SIGKILL");
    await within(all, "the agents' ends");

    const rows = await site.storedRows();
    expect(got).toHaveLength(sessions * callers * stepsOfCaller);
    expectStoredOnce(got, rows);
    for (const id of ids) {
      const missing = missingNumbers(rows.filter(({ session_id }) => session_id === id));
      expect(missing.length).toBeLessThanOrEqual(held.has(id) ? (inFlight.get(id) ?? 0) : 0);
    }

    const closed = await Promise.all(
      ids.map(async (id) => {
        const answer = await post(site.balancer.url, `/v1/sessions/${id}/close?wait=10`);
        return ((await answer.json()) as { status: string }).status;
      }),
    );
    expect(closed).toEqual(ids.map(() => "closed"));
  });

  test("the launcher finishes every simulation, each once and with one reward", async () => {
    await using upstream = await startDemoUpstream({ delayMs: 15 });
    await using site = await Site.start({ upstreamUrl: upstream.url });
    const storage_config = { db_url: site.db_url };
    const store = await openJobStore({ storage_type: "cloud", storage_config });
    onTestFinished(() => store.close());
    const gateway = createGatewayClient({ baseUrl: site.balancer.url, apiKey });
    onTestFinished(() => gateway.end());
    const runtime = functionRuntime(async ({ llm_base_url, session_id }) => {
      const openai = new OpenAI({ apiKey, baseURL: llm_base_url });
      for (const number of [1, 2, 3]) await ask(openai, `${session_id} asks ${number}`);
      return { status: "completed", step_count: 3 };
    });
    let finished = 0;
    const manager = new SimulationManager({
      ...{ store, gateway, runtime, job_id: "job", llm_model: model, concurrency: 6 },
      evaluator: functionEvaluator(async () => 1),
      tell: ({ event }) => {
        if (event === "simulation_finished") finished += 1;
      },
    });
    const count = 16;
    await manager.add(
      Array.from({ length: count }, (_, number) => ({
        ...{ simulation_id: `s${number}`, env_name: "test", env_params: null, group_id: null },
      })),
    );
    const job = manager.run();
    await Promise.race([job, waitFor(() => finished >= count / 4, "some simulations to finish")]);
    site.first.program.kill("SIGKILL");

    expect(await within(job, "the job's end")).toMatchObject({
      finished: count,
      failed: 0,
    });
    const [rewards] = await site.query<{ rewards: number; sessions: number }>(
      `select count(*)::int as rewards, count(distinct session_id)::int as sessions
       from session_steps where reward = 1 and is_session_completed`,
    );
    expect(rewards).toEqual({ rewards: count, sessions: count });
  });
});
