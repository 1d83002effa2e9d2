import { expect, test } from "vitest";
import { commandEvaluator } from "../../src/evaluator/evaluators.ts";
import { evaluationRequest, step } from "./evaluation-request.ts";

const { signal } = new AbortController();

test("128 MiB of steps are written with little memory", async () => {
  const payload = JSON.stringify("x".repeat(1024 * 1024));
  let read = 0;
  function* steps() {
    for (; read < 128; read += 1) yield { ...step, id: read, response: payload };
  }
  const before = process.memoryUsage().rss;
  const { score } = await commandEvaluator("wc -c").evaluate(evaluationRequest(steps), { signal });
  expect(score).toBeGreaterThan(128 * 1024 * 1024);
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
});

test("a command that stops reading its input ends the reading of steps", async () => {
  let read = 0;
  function* steps() {
    for (; ; read += 1) yield { ...step, response: JSON.stringify("x".repeat(100_000)) };
  }
  const evaluator = commandEvaluator("head -c 10 > /dev/null; echo 1");
  expect(await evaluator.evaluate(evaluationRequest(steps), { signal })).toMatchObject({
    score: 1,
  });
  expect(read).toBeLessThan(100);
});
