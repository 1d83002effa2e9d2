import { chatCompletion, type RecordedRequest, type Reply, temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";
import { sessionClient } from "../session/session-client.ts";
import { startGateway } from "../start-gateway.ts";
import { beginCall, chatPath, chatRequest, stepsOnceThereAre } from "../telemetry/bound-calls.ts";
import { sharedGateway } from "./shared-gateway.ts";

// A retry and the step it repeats are one logical step: the retry gives back the budget.

const max_steps = 3;
const shared = sharedGateway({ max_steps });

const succeed = (_request: RecordedRequest, reply: Reply): void =>
  void reply.json(chatCompletion());
const fail = (_request: RecordedRequest, reply: Reply): void =>
  void reply.json({ error: { message: "busy" } }, { status: 500 });

/** Sends a message, and returns the status, or `stop`. */
async function say(
  session_id: string,
  content: string,
  headers: Record<string, string> = {},
): Promise<number | "stop"> {
  const messages = [{ role: "user", content }];
  const answer = await shared.gateway.post(
    chatPath(session_id),
    chatRequest({ messages }),
    headers,
  );
  await answer.text();
  return answer.headers.has("x-gateway-stop") ? "stop" : answer.status;
}

const retriesOf = (session_id: string): unknown[] =>
  shared.gateway.steps(session_id).map(({ step_id, meta }) => [step_id, meta.retry_of ?? null]);

test("an upstream that fails every first attempt costs no budget", async () => {
  shared.upstream.answer("flaky", fail, succeed, fail, succeed, fail, succeed);
  const seen = [];
  for (const turn of ["one", "two", "three"])
    for (const _try of [1, 2]) seen.push(await say("flaky", turn));
  expect(seen).toEqual([500, 200, 500, 200, 500, 200]);
  expect(await say("flaky", "four")).toBe("stop");
  expect(retriesOf("flaky")).toEqual([
    [1, null],
    [2, 1],
    [3, null],
    [4, 3],
    [5, null],
    [6, 5],
  ]);
  const status = await sessionClient(shared.gateway, "flaky").status();
  expect(status.models.policy).toMatchObject({ steps: 6, successes: 3, stopped: true });
});

test("returned budget is remembered by storage", async () => {
  await using folder = await temporaryFolder();
  shared.upstream.answer("restarted", fail, succeed);
  const stops: (string | null)[] = [];
  for (const turns of [
    ["one", "one", "two"],
    ["three", "four"],
  ]) {
    const config = { llm_routes: { policy: { base_url: shared.upstream.url } }, max_steps };
    await using started = await startGateway(config, { folder: folder.path });
    for (const content of turns) {
      const messages = [{ role: "user", content }];
      const answer = await started.post(chatPath("restarted"), chatRequest({ messages }));
      await answer.text();
      stops.push(answer.headers.get("x-gateway-stop"));
    }
  }
  expect(stops).toEqual([null, null, null, null, "max_steps"]);
});

test("another body, or the same body after a whole answer, is a new step", async () => {
  shared.upstream.answer("others", fail, succeed);
  expect(await say("others", "one")).toBe(500);
  expect(await say("others", "another")).toBe(200);
  expect(await say("others", "another")).toBe(200);
  expect(await say("others", "a third")).toBe("stop");
  expect(retriesOf("others")).toEqual([
    [1, null],
    [2, null],
    [3, null],
  ]);
});

test("a caller can declare the same body a retry, but not another body", async () => {
  shared.upstream.answer("says", succeed);
  const again = { "x-stainless-retry-count": "1" };
  expect(await say("says", "one", { "x-stainless-retry-count": "0" })).toBe(200);
  expect(await say("says", "one", again)).toBe(200);
  expect(await say("says", "two", again)).toBe(200);
  expect(retriesOf("says")).toEqual([
    [1, null],
    [2, 1],
    [3, null],
  ]);
});

test("a known idempotency key makes a retry", async () => {
  shared.upstream.answer("key", succeed);
  for (const key of ["a", "a", "b"]) await say("key", `for ${key}`, { "idempotency-key": key });
  expect(retriesOf("key")).toEqual([
    [1, null],
    [2, 1],
    [3, null],
  ]);
});

test("a key that is sent with another body returns no budget", async () => {
  shared.upstream.answer("reused", succeed);
  const seen = [];
  for (const turn of ["one", "two", "three", "four"])
    seen.push(await say("reused", turn, { "idempotency-key": "same" }));
  expect(seen).toEqual([200, 200, 200, "stop"]);
  expect(retriesOf("reused")).toEqual([
    [1, null],
    [2, null],
    [3, null],
  ]);
});

test("a key that is reused after a failure returns no budget for another body", async () => {
  shared.upstream.answer("failed-key", fail, succeed);
  const key = { "idempotency-key": "same" };
  expect(await say("failed-key", "one", key)).toBe(500);
  expect(await say("failed-key", "two", key)).toBe(200);
  expect(retriesOf("failed-key")).toEqual([
    [1, null],
    [2, null],
  ]);
});

test("a caller that left before its answer and repeats the request spends one step", async () => {
  shared.upstream.answer("left", () => {}, succeed);
  const call = beginCall(shared.gateway, chatPath("left"), chatRequest());
  await shared.upstream.request("left");
  call.leave();
  await stepsOnceThereAre(shared.gateway, "left", 1);
  await (await shared.gateway.post(chatPath("left"), chatRequest())).text();
  expect(retriesOf("left")).toEqual([
    [1, null],
    [2, 1],
  ]);
});

test("of two concurrent requests that repeat a step, one is its retry", async () => {
  shared.upstream.answer("twice", fail, () => {});
  await say("twice", "one");
  const both = [say("twice", "one"), say("twice", "one")];
  for (const order of [2, 3])
    await (await shared.upstream.request("twice", order)).reply.json(chatCompletion());
  expect(await Promise.all(both)).toEqual([200, 200]);
  const retries = shared.gateway.steps("twice").filter(({ meta }) => meta.retry_of === 1);
  expect(retries).toHaveLength(1);
});

test("an agent that repeats one request forever pays after ten retries", async () => {
  shared.upstream.answer("for-ever", fail);
  const seen = [];
  for (let count = 0; count < 40; count++) seen.push(await say("for-ever", "one"));
  // Three logical steps with ten retries each.
  expect(seen.indexOf("stop")).toBe(3 * 11);
  expect(shared.upstream.requests("for-ever")).toHaveLength(3 * 11);
});
