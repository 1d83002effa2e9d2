import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@proj/test-kit";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { evaluateJob, functionEvaluator, functionRuntime, keptFolders } from "../../src/index.ts";
import type { LauncherEvent } from "../../src/launcher-event.ts";
import {
  type Rollout,
  simulations,
  startRollout,
  type TestJob,
  takeTwoSteps,
} from "../manager/rollout.ts";

let rollout: Rollout;
beforeAll(async () => {
  rollout = await startRollout();
});
afterAll(() => rollout[Symbol.asyncDispose]());

const broken = functionEvaluator(() => {
  throw new Error("the judge is away");
});
const quick = { evaluationRetryMs: 1 };

const jobOf = async (job: TestJob): Promise<string> => (await job.environments())[0]?.job_id ?? "";

test("a failing evaluator is asked again, and nothing is played again", async () => {
  const job = rollout.job();
  let played = 0;
  let asked = 0;
  const runtime = functionRuntime((request) => {
    played += 1;
    return takeTwoSteps(request);
  });
  const evaluator = functionEvaluator(() => {
    asked += 1;
    if (asked < 4) throw new Error("the judge is away");
    return 0.5;
  });
  const manager = job.manager({ runtime, evaluator, evaluationAttempts: 4, timeouts: quick });
  await manager.add(simulations(1));
  expect(await manager.run()).toMatchObject({ finished: 1, mean_reward: 0.5 });
  expect({ played, asked }).toEqual({ played: 1, asked: 4 });
  const retried = job.events.filter(({ event }) => event === "evaluation_retried");
  expect(retried).toMatchObject([{ failures: 1 }, { failures: 2 }, { failures: 3 }]);
  expect(retried[0]).toMatchObject({ error: expect.stringContaining("the judge is away") });
});

test("an evaluator is given up after the given number of failures", async () => {
  const job = rollout.job();
  const bounds = { evaluationAttempts: 2, infrastructureAttempts: 1 };
  const manager = job.manager({ evaluator: broken, ...bounds, timeouts: quick });
  await manager.add(simulations(1));
  expect(await manager.run()).toMatchObject({ infrastructure: 1 });
  expect(job.events.filter(({ event }) => event === "evaluation_retried")).toHaveLength(1);
});

test("a result without a reward is not judged twice", async () => {
  const job = rollout.job();
  const evaluator = (await import("../../src/index.ts")).resultEvaluator;
  const manager = job.manager({ evaluator });
  await manager.add(simulations(1));
  expect(await manager.run()).toMatchObject({ failed: 1 });
  expect(job.events.some(({ event }) => event === "evaluation_retried")).toBe(false);
});

test("a simulation that failed in its evaluator is scored later, without a gateway or a model", async () => {
  const job = rollout.job();
  const bounds = { evaluationAttempts: 1, infrastructureAttempts: 1 };
  const manager = job.manager({ evaluator: broken, ...bounds });
  await manager.add(simulations(3));
  await manager.run();
  const events: LauncherEvent[] = [];
  const { store } = rollout;
  const job_id = await jobOf(job);
  const evaluator = functionEvaluator(async ({ simulation, result, steps }) => {
    let count = 0;
    for await (const { status_code } of steps()) count += Number(status_code === 200);
    return { score: count + result.step_count, details: { was: simulation.env_params } };
  });
  const tell = (event: LauncherEvent): void => void events.push(event);
  const options = { store, job_id, llm_model: "demo", evaluator, tell };
  expect(await evaluateJob(options)).toEqual({ job_id, evaluated: 3, failed: 0, left_out: 0 });
  expect(await store.readJob(job_id)).toMatchObject({ finished: 3, failed: 0, mean_reward: 4 });
  expect(events).toMatchObject(
    Array.from({ length: 3 }, () => ({
      event: "simulation_evaluated",
      reward: 4,
      previous_reward: null,
    })),
  );
  const [environment] = await job.environments();
  const { steps } = await store.readSteps({ session_id: environment?.session_id ?? "" });
  expect(steps.map(({ reward, is_terminal }) => [reward, is_terminal])).toEqual([
    [null, false],
    [4, true],
  ]);
  expect(JSON.parse(steps[1]?.meta_json ?? "").eval).toEqual({ was: { index: 0 }, score: 4 });

  const unscored = { ...options, unscoredOnly: true };
  expect(await evaluateJob(unscored)).toEqual({ job_id, evaluated: 0, failed: 0, left_out: 3 });
});

test("a reward is replaced by another evaluator's, and stays if that evaluator fails", async () => {
  const job = rollout.job();
  const manager = job.manager();
  await manager.add(simulations(4));
  await manager.run();
  const { store } = rollout;
  const job_id = await jobOf(job);
  const evaluator = functionEvaluator(({ simulation: { simulation_id } }) => {
    if (simulation_id === "s3") throw new Error("no idea");
    return 7;
  });
  const options = { store, job_id, llm_model: "demo", evaluator, timeouts: quick };
  expect(await evaluateJob(options)).toEqual({ job_id, evaluated: 3, failed: 1, left_out: 0 });
  const rewards = (await job.environments()).map(({ reward, status }) => [reward, status]);
  expect(rewards).toEqual([
    [7, "finished"],
    [7, "finished"],
    [7, "finished"],
    [1, "finished"],
  ]);
});

test("simulations that failed in their agent are left out", async () => {
  const job = rollout.job();
  const runtime = functionRuntime(() => ({ status: "gave up" }));
  const manager = job.manager({ runtime });
  await manager.add(simulations(1));
  await manager.run();
  const job_id = await jobOf(job);
  const options = {
    store: rollout.store,
    job_id,
    llm_model: "demo",
    evaluator: functionEvaluator(() => 1),
  };
  expect(await evaluateJob(options)).toMatchObject({ evaluated: 0, failed: 0, left_out: 1 });
});

test("the evaluator gets a folder that was kept", async () => {
  const parent = await temporaryFolder();
  onTestFinished(() => parent.remove());
  await mkdir(parent.path, { recursive: true });
  const folders = keptFolders(parent.path);
  const job = rollout.job();
  const runtime = functionRuntime(async (request, { folder }) => {
    await writeFile(join((await folder?.open())?.work ?? "", "answer"), "42");
    return takeTwoSteps(request);
  });
  const manager = job.manager({ runtime, folders });
  await manager.add(simulations(1));
  await manager.run();
  const evaluator = functionEvaluator(async ({ workdir }) =>
    Number(await readFile(join(workdir ?? "", "answer"), "utf8")),
  );
  const job_id = await jobOf(job);
  const options = { store: rollout.store, job_id, llm_model: "demo", evaluator, folders };
  expect(await evaluateJob(options)).toMatchObject({ evaluated: 1 });
  expect(await rollout.store.readJob(job_id)).toMatchObject({ mean_reward: 42 });
});
