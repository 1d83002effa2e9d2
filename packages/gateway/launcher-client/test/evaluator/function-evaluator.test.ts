import type { StoredStep } from "@proj/session-store";
import { expect, test } from "vitest";
import type { EvaluationRequest } from "../../src/evaluator/evaluator.ts";
import { resultEvaluator } from "../../src/evaluator/evaluators.ts";
import { functionEvaluator } from "../../src/evaluator/function-evaluator.ts";
import { startRequest } from "../start-request.ts";
import { evaluationRequest, result, step } from "./evaluation-request.ts";
import { failureOf } from "./failure-of.ts";

const { signal } = new AbortController();

async function stepsOf(request: EvaluationRequest): Promise<readonly StoredStep[]> {
  const steps: StoredStep[] = [];
  for await (const each of request.steps()) steps.push(each);
  return steps;
}

test("a function gets simulation, result and steps, and returns a score, with or without details", async () => {
  const judged = functionEvaluator(async function judge(request, options) {
    expect(options.signal).toBe(signal);
    const steps = await stepsOf(request);
    expect(steps).toEqual([step]);
    expect(request.result).toEqual(result);
    return { score: steps.length, details: { env_name: request.simulation.env_name } };
  });
  expect(judged.description).toBe("function judge");
  expect(await judged.evaluate(evaluationRequest(), { signal })).toEqual({
    score: 1,
    details: { env_name: "maze" },
  });
  const plain = functionEvaluator(() => -1);
  expect(await plain.evaluate(evaluationRequest(), { signal })).toEqual({ score: -1, details: {} });
});

test("an evaluator never sees the key to the model, even when the object has it", async () => {
  const evaluator = functionEvaluator(({ simulation }) => {
    expect(simulation).not.toHaveProperty("llm_api_key");
    return 1;
  });
  const request = { ...evaluationRequest(), simulation: startRequest };
  expect(await evaluator.evaluate(request, { signal })).toMatchObject({ score: 1 });
});

test("the error that a function throws is the cause", async () => {
  const cause = new Error("no such metric");
  const error = await failureOf(
    functionEvaluator(
      () => {
        throw cause;
      },
      { name: "maze score" },
    ),
  );
  expect(error.code).toBe("evaluator_failed");
  expect(error.message).toBe("no such metric (function maze score failed)");
  expect(error.cause).toBe(cause);
});

test("unreadable steps are the error, whatever the function throws", async () => {
  const cause = new Error("the file is locked");
  const failing = evaluationRequest(async function* () {
    yield step;
    throw cause;
  });
  const evaluator = functionEvaluator(async (request) => {
    try {
      return (await stepsOf(request)).length;
    } catch {
      throw new Error("something is wrong");
    }
  });
  const error = await failureOf(evaluator, failing);
  expect(error.code).toBe("steps_unreadable");
  expect(error.cause).toBe(cause);
});

test("a score that is not a finite number is an error that quotes it", async () => {
  const cases: [unknown, string][] = [
    [Number.NaN, "NaN"],
    [{ score: Number.POSITIVE_INFINITY }, `Infinity as "score"`],
    [undefined, "answered undefined"],
    ["1", `answered "1" instead of a number`],
    [{ reward: 1 }, "answered {} instead of a number"],
    [{ score: 1, details: { n: 1n } }, "BigInt"],
  ];
  for (const [answer, what] of cases) {
    // A JavaScript program may return it, whatever the type says.
    const { code, message } = await failureOf(functionEvaluator(() => answer as never));
    expect(code).toBe("evaluator_bad_result");
    expect(message).toContain(what);
  }
});

test("the runtime's own total_reward is the score; without one, the error says so", async () => {
  expect(await resultEvaluator.evaluate(evaluationRequest(), { signal })).toEqual({
    score: 0.25,
    details: {},
  });
  const request = { ...evaluationRequest(), result: { ...result, total_reward: null } };
  const { code, message } = await failureOf(resultEvaluator, request);
  expect(code).toBe("no_total_reward");
  expect(message).toContain("session-1 has no total_reward");
});

test("an evaluator that was aborted before its start is not called", async () => {
  const reason = new Error("stopped");
  const aborted = { signal: AbortSignal.abort(reason) };
  let calls = 0;
  const evaluator = functionEvaluator(() => {
    calls += 1;
    return 1;
  });
  await expect(evaluator.evaluate(evaluationRequest(), aborted)).rejects.toBe(reason);
  await expect(resultEvaluator.evaluate(evaluationRequest(), aborted)).rejects.toBe(reason);
  expect(calls).toBe(0);
});
