import { access, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { functionEvaluator, functionRuntime } from "../../src/index.ts";
import { type Rollout, simulations, startRollout, takeStep, takeTwoSteps } from "./rollout.ts";

let rollout: Rollout;
beforeAll(async () => {
  rollout = await startRollout();
});
afterAll(() => rollout[Symbol.asyncDispose]());

test("a job's simulations are played, evaluated, rewarded and cleaned", async () => {
  const job = rollout.job();
  const manager = job.manager({
    evaluator: functionEvaluator(async ({ simulation, steps }) => {
      const numbers = [];
      for await (const { step_id } of steps()) numbers.push(step_id);
      return { score: numbers.length + simulation.attempt, details: { numbers } };
    }),
  });
  expect(await manager.add(simulations(5))).toBe(5);
  const summary = await manager.run();

  expect(summary).toMatchObject({ simulations: 5, finished: 5, failed: 0, mean_reward: 3 });
  for (const { session_id, status, reward, attempt } of await job.environments()) {
    expect({ status, reward, attempt }).toEqual({ status: "finished", reward: 3, attempt: 1 });
    const { steps } = await rollout.store.readSteps({ session_id });
    expect(steps.map(({ reward, is_terminal }) => [reward, is_terminal])).toEqual([
      [null, false],
      [3, true],
    ]);
    expect(JSON.parse(steps[1]?.meta_json ?? "").eval).toEqual({ numbers: [1, 2], score: 3 });
    expect(await rollout.gateway.session(session_id)).toBeNull();
  }
});

test("no more than `concurrency` run at once, and they begin in order", async () => {
  const job = rollout.job();
  let running = 0;
  let most = 0;
  const full = Promise.withResolvers<void>();
  const runtime = functionRuntime(async (request) => {
    most = Math.max(most, ++running);
    if (running === 3) full.resolve();
    // None of the first three ends before all of them run.
    await full.promise;
    const result = await takeTwoSteps(request);
    running -= 1;
    return result;
  });
  const manager = job.manager({ runtime, concurrency: 3 });
  await manager.add(simulations(12));
  await manager.run();
  expect(most).toBe(3);
  // Simulations that run at once may call their runtimes in another order.
  const begun = job.events.flatMap((event) =>
    event.event === "simulation_started" ? [event.simulation_id] : [],
  );
  expect(begun).toEqual(simulations(12).map(({ simulation_id }) => simulation_id));
});

test("a failed attempt is tried again up to `maxAttempts`, and by default not at all", async () => {
  const job = rollout.job();
  const runtime = functionRuntime(async (request) => {
    if (request.attempt < 3) throw new Error("the door is locked");
    return takeTwoSteps(request);
  });
  await job.manager().add(simulations(1));
  expect(await job.manager({ runtime }).run()).toMatchObject({ failed: 1, finished: 0 });
  expect(await job.manager({ runtime, maxAttempts: 3 }).run()).toMatchObject({ finished: 1 });
  const attempts = await job.environments();
  expect(attempts.map(({ status }) => status)).toEqual(["failed", "failed", "finished"]);
  expect(attempts[0]?.error).toContain("runtime_failed: ");
  expect(attempts[0]?.error).toContain("the door is locked");
});

test("a simulation whose agent asked no model fails", async () => {
  const job = rollout.job();
  const runtime = functionRuntime(() => ({ status: "completed" }));
  const manager = job.manager({ runtime });
  await manager.add(simulations(1));
  expect(await manager.run()).toMatchObject({ failed: 1 });
  const [environment] = await job.environments();
  expect(environment?.error).toMatch(/^no_successful_step: /);
  expect(await rollout.gateway.session(environment?.session_id ?? "")).toBeNull();
});

test("an evaluator that fails is the infrastructure's failure, and the result is kept", async () => {
  const job = rollout.job();
  const evaluator = functionEvaluator(() => {
    throw new Error("no judge today");
  });
  const manager = job.manager({ evaluator, evaluationAttempts: 1 });
  await manager.add(simulations(1));
  await manager.run();
  const [environment] = await job.environments();
  expect(environment).toMatchObject({ status: "infrastructure", reward: null });
  expect(environment?.error).toMatch(/^evaluator_failed: .*no judge today/);
  expect(JSON.parse(environment?.result ?? "")).toMatchObject({ status: "completed" });
});

test("a hanging runtime is ended when its time is up, and its session is closed", async () => {
  const job = rollout.job();
  const runtime = functionRuntime(
    (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      }),
  );
  const manager = job.manager({ runtime, timeouts: { simulationMs: 50 } });
  await manager.add(simulations(2));
  expect(await manager.run()).toMatchObject({ failed: 2 });
  const [environment] = await job.environments();
  expect(environment?.error).toMatch(/^runtime_timeout: /);
});

test("stop lets running simulations end and starts no more; the job can continue later", async () => {
  const job = rollout.job();
  const manager = job.manager({
    concurrency: 2,
    runtime: functionRuntime((request) => {
      manager.stop();
      return takeTwoSteps(request);
    }),
  });
  await manager.add(simulations(5));
  const summary = await manager.run();
  expect(summary.finished).toBeLessThanOrEqual(2);
  expect(summary.running).toBe(0);
  expect(summary.pending).toBe(5 - summary.finished);
  expect(await job.manager().run()).toMatchObject({ finished: 5, interrupted_attempts: 0 });
});

test("an abort gives running simulations back: a straggler is refused, another launcher begins them at once", async () => {
  const job = rollout.job();
  const aborting = new AbortController();
  const straggler = Promise.withResolvers<string>();
  const runtime = functionRuntime(async ({ llm_base_url, llm_model }, { signal }) => {
    await takeStep(llm_base_url, llm_model);
    straggler.resolve(llm_base_url);
    aborting.abort();
    signal.throwIfAborted();
    return { status: "completed" };
  });
  const manager = job.manager({ runtime, concurrency: 1 });
  await manager.add(simulations(1));
  expect(await manager.run(aborting.signal)).toMatchObject({ pending: 1, interrupted_attempts: 1 });
  expect(await takeStep(await straggler.promise, "demo")).toBe(400);
  expect(await job.manager().run()).toMatchObject({ finished: 1, interrupted_attempts: 1 });
});

test("pause begins nothing until resume", async () => {
  const job = rollout.job();
  const begun: string[] = [];
  const runtime = functionRuntime((request) => {
    begun.push(request.simulation_id);
    manager.pause();
    return takeTwoSteps(request);
  });
  const seen = Promise.withResolvers<void>();
  const manager = job.manager({
    runtime,
    concurrency: 1,
    tell: ({ event }) => event === "simulation_finished" && seen.resolve(),
  });
  await manager.add(simulations(3));
  const running = manager.run();
  await seen.promise;
  expect(begun).toEqual(["s0"]);
  manager.stop();
  expect(await running).toMatchObject({ finished: 1, pending: 2 });
});

test("two managers share a job: each simulation belongs to one of them", async () => {
  const job = rollout.job();
  const played: string[] = [];
  const runtime = functionRuntime((request) => {
    played.push(request.simulation_id);
    return takeTwoSteps(request);
  });
  await job.manager().add(simulations(20));
  const options = { runtime, concurrency: 3, heartbeatTimeoutMs: 3000 };
  const jobs = await Promise.all([job.manager(options).run(), job.manager(options).run()]);
  expect(jobs[0]).toMatchObject({ finished: 20, interrupted_attempts: 0 });
  expect(new Set(played).size).toBe(20);
  expect(played).toHaveLength(20);
});

test("the evaluator can read the agent's folder, which is removed afterwards", async () => {
  const job = rollout.job();
  const runtime = functionRuntime(async (request, { folder }) => {
    const { work } = (await folder?.open()) ?? { work: "" };
    await writeFile(join(work, "answer"), "42");
    return takeTwoSteps(request);
  });
  const looked: string[] = [];
  const evaluator = functionEvaluator(async ({ workdir }) => {
    looked.push(workdir ?? "");
    return Number(await readFile(join(workdir ?? "", "answer"), "utf8"));
  });
  const manager = job.manager({ runtime, evaluator });
  await manager.add(simulations(2));
  expect(await manager.run()).toMatchObject({ finished: 2, mean_reward: 42 });
  expect(new Set(looked).size).toBe(2);
  for (const path of looked) await expect(access(path)).rejects.toThrow("ENOENT");
});
