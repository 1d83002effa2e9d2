import { within } from "@proj/test-kit";
import { expect, test } from "vitest";
import { functionRuntime } from "../../src/runtime/function-runtime.ts";
import { llm_api_key, startRequest } from "../start-request.ts";
import { failureOf } from "./failure-of.ts";

const { signal } = new AbortController();

test("a function gets the request and the signal, and returns the result", async () => {
  const runtime = functionRuntime(async function play(request, options) {
    expect(request).toEqual(startRequest);
    expect(options.signal).toBe(signal);
    return { status: "completed", total_reward: 1, metrics: { turns: 3 } };
  });
  expect(runtime.description).toBe("function play");
  expect(await runtime.run(startRequest, { signal })).toEqual({
    session_id: "session-1",
    status: "completed",
    total_reward: 1,
    step_count: 0,
    terminated: true,
    truncated: false,
    truncated_by: null,
    error_text: null,
    metrics: { turns: 3 },
  });
});

test("an error that a function throws, at once or later, fails the simulation; the key is masked", async () => {
  const thrown = new Error(`401 for ${llm_api_key}`, { cause: llm_api_key });
  const play = (): never => {
    throw thrown;
  };
  for (const runtime of [
    functionRuntime(play),
    functionRuntime(async () => play(), { name: "play" }),
  ]) {
    const error = await failureOf(runtime);
    expect(error.code).toBe("runtime_failed");
    expect(error.message).toBe("401 for *** (function play failed)");
    expect(error.last_output).toContain("function-runtime.test.ts");
    expect(error.last_output).not.toContain(llm_api_key);
  }
});

test("a return value that is not a result is an error that quotes it", async () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  const cases: [unknown, string][] = [
    [undefined, "answered undefined instead of JSON"],
    ["completed", `answered "completed" instead of an object`],
    [{ status: "ok", total_reward: Number.NaN }, `NaN as "total_reward"`],
    [{ status: "ok", metrics: { loss: Infinity } }, `Infinity as "loss"`],
    [{ status: "ok", metrics: circle }, "circular"],
    [{ status: "ok", metrics: { tokens: 3n } }, "BigInt"],
  ];
  for (const [answer, what] of cases) {
    // A JavaScript program may return it, whatever the type says.
    const play: () => never = () => answer as never;
    const { code, message } = await failureOf(functionRuntime(play));
    expect(code).toBe("runtime_bad_result");
    expect(message).toContain(what);
  }
});

test("after an abort a function has time to clean up", async () => {
  const reason = new Error("its time is up");
  const abort = new AbortController();
  let isTidy = false;
  const started = Promise.withResolvers<void>();
  const runtime = functionRuntime(async (_request, options) => {
    started.resolve();
    await new Promise((resolve) => options.signal.addEventListener("abort", resolve));
    await new Promise((resolve) => setImmediate(resolve));
    isTidy = true;
    return { status: "ok" };
  });
  const failing = expect(runtime.run(startRequest, abort)).rejects.toBe(reason);
  await started.promise;
  abort.abort(reason);
  await failing;
  expect(isTidy).toBe(true);
});

test("a function that ignores an abort is given up after its grace, and may fail later", async () => {
  const reason = new Error("its time is up");
  const abort = new AbortController();
  const late = Promise.withResolvers<never>();
  const runtime = functionRuntime(() => late.promise, { graceMs: 10 });
  const failing = expect(runtime.run(startRequest, abort)).rejects.toBe(reason);
  abort.abort(reason);
  await within(failing, "the function to be given up");
  late.reject(new Error("too late"));
});
