import { spawnSync } from "node:child_process";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { sessionPlace, simulationPlace } from "@proj/opentelemetry";
import { listen } from "@proj/test-kit";
import type { ReceivedSpan } from "@proj/test-kit/otlp";
import { expect, test } from "vitest";
import {
  commandRuntime,
  evaluateJob,
  functionEvaluator,
  functionRuntime,
  httpRuntime,
} from "../../src/index.ts";
import { simulations, takeTwoSteps } from "../manager/rollout.ts";
import { startTracedJob } from "./traced-job.ts";

const named = (spans: readonly ReceivedSpan[], name: string): readonly ReceivedSpan[] =>
  spans.filter((span) => span.name === name);

const sumOf = (spans: readonly ReceivedSpan[], name: string): number =>
  spans.reduce((sum, { attributes }) => sum + Number(attributes[name] ?? 0), 0);

test("a simulation is the root of one trace: its run, evaluation and reward, its session and steps", async () => {
  await using job = await startTracedJob();
  const traceparent = `00-${"c".repeat(32)}-${"d".repeat(16)}-01`;
  const manager = job.manager({ tracing: { tracer: job.tracer, traceparent } });
  await manager.add(simulations(1).map((simulation) => ({ ...simulation, group_id: "g" })));
  await manager.run();
  const [environment] = (await job.store.readEnvironments({ job_id: job.job_id })).environments;
  const session_id = environment?.session_id ?? "";
  const spans = await job.spans();

  const [simulation] = named(spans, "simulation");
  const steps = spans.filter(({ name }) => name.startsWith("chat "));
  expect(steps).toHaveLength(2);
  const identity = {
    "gen_ai.conversation.id": session_id,
    "gateway.job_id": job.job_id,
    "gateway.simulation_id": "s0",
    "gateway.attempt": 1,
    "gateway.group_id": "g",
  };
  expect(simulation).toMatchObject({
    ...simulationPlace(session_id),
    ...{ parent_id: null, links: ["d".repeat(16)], status: 0, service_name: "launcher" },
    attributes: {
      ...identity,
      "simulation.outcome": "finished",
      "simulation.reward": 1,
      "simulation.steps": 2,
      "simulation.cost_nano_usd": sumOf(steps, "gateway.cost_nano_usd"),
      "simulation.tokens":
        sumOf(steps, "gen_ai.usage.input_tokens") + sumOf(steps, "gen_ai.usage.output_tokens"),
    },
  });
  expect(sumOf(steps, "gateway.cost_nano_usd")).toBeGreaterThan(0);
  const parent_id = simulation?.span_id;
  const part = { parent_id, status: 0, service_name: "launcher" };
  expect(named(spans, "invoke_agent")).toMatchObject([{ ...part, attributes: identity }]);
  const score = { "gen_ai.evaluation.score.value": 1 };
  expect(named(spans, "evaluation")).toMatchObject([{ ...part, attributes: score }]);
  const reward = { "simulation.reward": 1 };
  expect(named(spans, "reward")).toMatchObject([{ ...part, attributes: reward }]);
  const { span_id } = sessionPlace(session_id);
  expect(named(spans, "session")).toMatchObject([{ parent_id, span_id, service_name: "gateway" }]);
  for (const step of steps) expect(step).toMatchObject({ parent_id: span_id });
  expect(new Set(spans.map(({ trace_id }) => trace_id))).toEqual(new Set([simulation?.trace_id]));
});

test("every attempt has its own trace, and every evaluation its own span", async () => {
  await using job = await startTracedJob();
  let asked = 0;
  const manager = job.manager({
    maxAttempts: 2,
    runtime: functionRuntime((request) => {
      if (request.attempt === 1) throw new Error("the door is locked");
      return takeTwoSteps(request);
    }),
    evaluator: functionEvaluator(() => {
      asked += 1;
      if (asked === 1) throw new Error("no judge");
      return 0.5;
    }),
  });
  await manager.add(simulations(1));
  expect(await manager.run()).toMatchObject({ finished: 1 });
  const spans = await job.spans();

  const told = named(spans, "simulation").map(({ status, attributes }) => [
    attributes["gateway.attempt"],
    attributes["simulation.outcome"],
    attributes["error.type"],
    status,
  ]);
  expect(told).toEqual([
    [1, "failed", "runtime_failed", 2],
    [2, "finished", undefined, 0],
  ]);
  expect(new Set(named(spans, "simulation").map(({ trace_id }) => trace_id)).size).toBe(2);
  const errors = (name: string): unknown[] =>
    named(spans, name).map(({ attributes }) => attributes["error.type"]);
  expect(errors("invoke_agent")).toEqual(["runtime_failed", undefined]);
  expect(errors("evaluation")).toEqual(["evaluator_failed", undefined]);
  expect(named(spans, "reward")).toHaveLength(1);
});

test("agents get the trace context of their run, and calls that pass it on appear below it", async () => {
  await using job = await startTracedJob();
  const heard: unknown[] = [];
  const server = createServer(async (request, response) => {
    heard.push(request.headers.traceparent);
    const { llm_base_url, llm_model: model } = Object(await json(request));
    const body = JSON.stringify({ model, messages: [] });
    const headers = { traceparent: String(request.headers.traceparent) };
    await fetch(`${llm_base_url}/chat/completions`, { method: "POST", headers, body });
    response.end('{"status":"done"}');
  });
  await using listening = await listen(server);
  const manager = job.manager({
    runtime: httpRuntime(listening.url),
    evaluator: functionEvaluator((_request, { traceparent }) => {
      heard.push(traceparent);
      return 1;
    }),
  });
  await manager.add(simulations(1));
  await manager.run();
  const command = job.manager({
    maxAttempts: 2,
    runtime: commandRuntime('echo "$TRACEPARENT" >&2; exit 3'),
    tell: (event) => {
      if (event.event === "simulation_failed") heard.push(event.last_output?.trim());
    },
  });
  await command.add(simulations(2));
  await command.run();
  const spans = await job.spans();

  const contextsOf = (name: string): string[] =>
    named(spans, name).map(({ trace_id, span_id }) => `00-${trace_id}-${span_id}-01`);
  const [asked, ran, ...again] = contextsOf("invoke_agent");
  expect(heard.slice(0, 2)).toEqual([asked, ...contextsOf("evaluation")]);
  // Two simulations run at once, and either may end first.
  expect(heard.slice(2).sort()).toEqual([ran, ...again].sort());
  const [step] = spans.filter(({ name }) => name.startsWith("chat "));
  const [run] = named(spans, "invoke_agent");
  const [session] = named(spans, "session");
  expect(step).toMatchObject({ parent_id: run?.span_id, links: [session?.span_id] });
});

test("an attempt that its launcher gives back or abandons has a span too", async () => {
  await using job = await startTracedJob();
  const stop = new AbortController();
  const runtime = functionRuntime((_request, { signal }) => {
    stop.abort();
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      if (signal.aborted) reject(signal.reason);
    });
  });
  const stopped = job.manager({ runtime });
  await stopped.add(simulations(1));
  await stopped.run(stop.signal);
  // A launcher that claims an attempt and is never heard of again.
  const claimed = { job_id: job.job_id, owner: "gone", limit: 1 };
  expect(await job.store.claim(claimed)).toHaveLength(1);
  await job.manager({ heartbeatTimeoutMs: 1_000 }).run();
  const spans = await job.spans();

  const told = named(spans, "simulation").map(({ attributes }) => [
    attributes["gateway.attempt"],
    attributes["simulation.outcome"],
    attributes["error.type"],
  ]);
  expect(told.toSorted()).toEqual([
    [1, "interrupted", undefined],
    [2, "interrupted", "launcher_silent"],
    [3, "finished", undefined],
  ]);
  const ends = named(spans, "invoke_agent").map(({ attributes }) => attributes["error.type"]);
  expect(ends).toEqual(["stopped", undefined]);
});

test("scoring a session again adds to the trace in which it was played", async () => {
  await using job = await startTracedJob();
  const manager = job.manager();
  await manager.add(simulations(1));
  await manager.run();
  const { store, job_id, tracer } = job;
  await evaluateJob({
    ...{ store, job_id, llm_model: "demo", tracing: { tracer } },
    evaluator: functionEvaluator(() => 0.25),
  });
  const spans = await job.spans();
  const [simulation] = named(spans, "simulation");
  const parent_id = simulation?.span_id;
  const scores = named(spans, "evaluation").map((span) => [
    span.parent_id,
    span.attributes["gen_ai.evaluation.score.value"],
  ]);
  expect(scores).toEqual([
    [parent_id, 1],
    [parent_id, 0.25],
  ]);
  expect(named(spans, "reward").map((span) => span.parent_id)).toEqual([parent_id, parent_id]);
});

test("nothing of OpenTelemetry's SDK is loaded with the launcher", () => {
  const program = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
    await import("@proj/launcher-client");
    console.log(loaded.length > 50, loaded.filter((url) => /@opentelemetry/.test(url)));
  `;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--conditions=@proj/source", "--input-type=module", "--eval", program],
    { cwd: new URL("../..", import.meta.url), encoding: "utf8" },
  );
  expect({ stdout, stderr }).toEqual({ stdout: "true []\n", stderr: "" });
});
