import { afterAll, beforeAll, expect, test } from "vitest";
import { sessionClient } from "../session/session-client.ts";
import { onlyStep } from "../telemetry/bound-calls.ts";
import { holdWriteLock } from "../telemetry/write-lock.ts";
import { StoringGateway } from "./storing-gateway.ts";

// A response that is made in the background: its step ends when somebody fetches it.

let storing: StoringGateway;

beforeAll(async () => {
  storing = await StoringGateway.start();
});
afterAll(() => storing[Symbol.asyncDispose]());

const question = { model: "policy", input: "Hello" };

test("a response is its step's success once it has been fetched", async () => {
  const sdk = storing.client("late").responses;
  const queued = await sdk.create({ ...question, background: true });
  expect(queued.status).toBe("queued");
  expect(await onlyStep(storing.gateway, "late")).toMatchObject({ status_code: 202 });
  const session = sessionClient(storing.gateway, "late");
  expect((await session.latestSuccessStep("policy")).step_id).toBeNull();

  expect((await sdk.retrieve(queued.id)).status).toBe("queued");
  expect(await onlyStep(storing.gateway, "late")).toMatchObject({ status_code: 202 });
  storing.holderOf(queued.id).finish(queued.id);
  const done = await sdk.retrieve(queued.id);
  expect(done.output_text).toBe("Late.");

  const step = await onlyStep(storing.gateway, "late");
  expect(step).toMatchObject({ step_id: 1, status_code: 200 });
  const { output_text: _, _request_id, ...answer } = { _request_id: null, ...done };
  expect(JSON.parse(step.response ?? "")).toEqual(answer);
  expect(step.meta).toMatchObject({
    ...{ status_code: 200, outcome: "completed", finish_reason: "completed" },
    ...{ prompt_tokens: 11, completion_tokens: 5, endpoint: "responses" },
    completed_by: expect.any(String),
  });
  expect((await session.latestSuccessStep("policy")).step_id).toBe(1);
  const { policy } = (await session.status()).models;
  expect(policy).toMatchObject({ steps: 1, successes: 1, completion_tokens: 5 });
  // Fetching again changes nothing.
  await sdk.retrieve(queued.id);
  expect(await onlyStep(storing.gateway, "late")).toEqual(step);
  expect((await session.status()).models.policy).toEqual(policy);
});

test("a response that was cancelled is not a success", async () => {
  const sdk = storing.client("cancelled").responses;
  const { id } = await sdk.create({ ...question, background: true });
  expect((await sdk.cancel(id)).status).toBe("cancelled");
  expect(await onlyStep(storing.gateway, "cancelled")).toMatchObject({
    status_code: 502,
    meta: { outcome: "no_answer", error: "the response is cancelled" },
  });
});

test("a response cannot be fetched once its session is closed", async () => {
  const sdk = storing.client("shut").responses;
  const { id } = await sdk.create({ ...question, background: true });
  await sessionClient(storing.gateway, "shut").closeAndWait();
  storing.holderOf(id).finish(id);
  await expect(sdk.retrieve(id)).rejects.toMatchObject({ status: 400, code: "session_closed" });
  expect(await onlyStep(storing.gateway, "shut")).toMatchObject({ status_code: 202 });
});

test("a response completes its step once, after a restart, too", async () => {
  const queued = await storing.client("later").responses.create({ ...question, background: true });
  await storing.restart();
  storing.holderOf(queued.id).finish(queued.id);
  expect((await storing.client("later").responses.retrieve(queued.id)).output_text).toBe("Late.");
  const step = await onlyStep(storing.gateway, "later");
  expect(step).toMatchObject({ step_id: 1, status_code: 200 });
  expect(step.meta).toMatchObject({ outcome: "completed", completion_tokens: 5 });
  expect(JSON.parse(step.response ?? "").id).toBe(queued.id);
  const session = sessionClient(storing.gateway, "later");
  expect((await session.latestSuccessStep("policy")).step_id).toBe(1);
  expect((await session.status()).models.policy).toMatchObject({ steps: 1, successes: 1 });
  await storing.restart();
  await storing.client("later").responses.retrieve(queued.id);
  expect(await onlyStep(storing.gateway, "later")).toEqual(step);
});

test("a response whose row cannot be written in time is refused, and completes it later", async () => {
  const telemetry = { mode: "best_effort", write_timeout_s: 1 };
  await using waiting = await StoringGateway.start({ telemetry });
  const sdk = waiting.client("held").responses;
  const lock = holdWriteLock(waiting.gateway.databasePath);
  const { id } = await sdk.create({ ...question, background: true });
  waiting.holderOf(id).finish(id);
  await expect(sdk.retrieve(id)).rejects.toMatchObject({
    status: 503,
    code: "telemetry_unavailable",
  });
  lock.release();
  expect((await sdk.retrieve(id)).output_text).toBe("Late.");
  expect(await onlyStep(waiting.gateway, "held")).toMatchObject({ step_id: 1, status_code: 200 });
});
