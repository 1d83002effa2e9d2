import { chatCompletion, chatStream, waitFor } from "@proj/test-kit";
import { expect, onTestFinished, test } from "vitest";
import {
  startUpstreamBySession,
  type UpstreamBySession,
} from "../recording/upstream-by-session.ts";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { chatPath, chatRequest, metric, stepsOnceThereAre } from "./bound-calls.ts";
import { rawCall } from "./raw-caller.ts";
import { holdWriteLock } from "./write-lock.ts";

const completion = chatCompletion();
const events = chatStream(completion).map(String);

async function start(telemetry: Record<string, unknown> = {}): Promise<{
  gateway: TestGateway;
  upstream: UpstreamBySession;
}> {
  const upstream = await startUpstreamBySession();
  onTestFinished(() => upstream.close());
  const gateway = await startGateway({
    llm_routes: { policy: { base_url: upstream.url } },
    telemetry: { mode: "best_effort", ...telemetry },
  });
  onTestFinished(() => gateway.close());
  return { gateway, upstream };
}

/** Steps of a session, one after the other, each answered successfully. */
async function takeSteps(
  { gateway, upstream }: Awaited<ReturnType<typeof start>>,
  session_id: string,
  count: number,
  members: Record<string, unknown> = {},
): Promise<void> {
  upstream.answer(session_id, (_request, reply) => void reply.json(completion));
  for (let step = 1; step <= count; step++) {
    const answer = await gateway.post(chatPath(session_id), chatRequest(members));
    expect(answer.status).toBe(200);
    await answer.text();
  }
}

async function close(gateway: TestGateway, session_id: string): Promise<unknown> {
  const answer = await gateway.post(`/v1/sessions/${session_id}/close?wait=10`, {});
  return answer.json();
}

test("answers do not wait for a locked database, and the rows are written once it is free", async () => {
  const parts = await start({ flush_interval_ms: 10, write_timeout_s: 2 });
  const { gateway, upstream } = parts;
  using lock = holdWriteLock(gateway.databasePath);
  await takeSteps(parts, "plain", 2);
  upstream.answer("stream", (_request, reply) => void reply.events(events));
  await using caller = await rawCall(gateway, chatPath("stream"), chatRequest({ stream: true }));
  expect(await caller.untilClosed()).toMatchObject({ body: events.join(""), whole: true });
  await waitFor(
    async () => (await metric(gateway, "gateway_telemetry_retries_total")) > 0,
    "a failed write",
  );
  // Not even once storage is known to be down.
  await takeSteps(parts, "plain", 1);
  expect(gateway.steps("plain")).toEqual([]);
  lock.release();
  const steps = await stepsOnceThereAre(gateway, "plain", 3);
  expect(steps.map(({ step_id, status_code }) => [step_id, status_code])).toEqual([
    [1, 200],
    [2, 200],
    [3, 200],
  ]);
  expect(await stepsOnceThereAre(gateway, "stream", 1)).toMatchObject([{ status_code: 200 }]);
  expect(await metric(gateway, 'gateway_telemetry_rows_lost_total{reason="queue_full"}')).toBe(0);
  expect(await close(gateway, "plain")).toMatchObject({
    close: { telemetry: "flushed", lost_rows: 0 },
  });
});

test("requests and new sessions proceed while storage fails, and their rows are written afterwards", async () => {
  const parts = await start({ flush_interval_ms: 10 });
  const { gateway } = parts;
  const renameTable = (from: string, to: string) =>
    gateway.database((database) =>
      database.exec(`pragma legacy_alter_table = on; alter table ${from} rename to ${to}`),
    );
  renameTable("stored_steps", "elsewhere");
  await takeSteps(parts, "new", 2);
  await waitFor(
    async () => (await metric(gateway, "gateway_telemetry_retries_total")) > 0,
    "a failed write",
  );
  expect((await fetch(`${gateway.url}/readyz`)).status).toBe(503);
  renameTable("elsewhere", "stored_steps");
  const steps = await stepsOnceThereAre(gateway, "new", 2);
  expect(steps.map(({ step_id, status_code }) => [step_id, status_code])).toEqual([
    [1, 200],
    [2, 200],
  ]);
  await waitFor(async () => (await fetch(`${gateway.url}/readyz`)).status === 200, "readiness");
});

test.for([
  { loss_policy: "drop_newest", kept: [1, 2, 3] },
  { loss_policy: "drop_oldest", kept: [3, 4, 5] },
  { loss_policy: "fail_closed", kept: [1, 2, 3] },
])(
  "a full queue loses rows by its policy and names their sessions: $loss_policy",
  async ({ loss_policy, kept }) => {
    // Nothing is written before the sessions are closed.
    const parts = await start({ loss_policy, queue_max_rows: 3, flush_interval_ms: 60_000 });
    const { gateway } = parts;
    await takeSteps(parts, "full", 5);
    const lost = 'gateway_telemetry_rows_lost_total{reason="queue_full"}';
    expect(await metric(gateway, lost)).toBe(2);
    expect(gateway.logged.filter(({ level }) => level === "error")).toMatchObject(
      [1, 2].map(() => ({ fields: { session_id: "full", rows: 1, reason: "queue_full" } })),
    );
    expect(await close(gateway, "full")).toMatchObject({
      status: "closed",
      close: { drained: true, telemetry: "lost", lost_rows: 2, forced: false },
      models: { policy: { steps: 5, successes: 3 } },
    });
    expect(gateway.steps("full").map(({ step_id }) => step_id)).toEqual(kept);
  },
);

test("losses are reported for the session that lost rows, and for no other", async () => {
  const parts = await start({
    loss_policy: "drop_oldest",
    queue_max_rows: 2,
    flush_interval_ms: 60_000,
  });
  await takeSteps(parts, "loser", 1);
  await takeSteps(parts, "winner", 2);
  expect(await close(parts.gateway, "loser")).toMatchObject({
    close: { telemetry: "lost", lost_rows: 1 },
  });
  expect(await close(parts.gateway, "winner")).toMatchObject({
    close: { telemetry: "flushed", lost_rows: 0 },
  });
  expect(parts.gateway.steps("winner")).toHaveLength(2);
});

test("the queue's bound in bytes loses rows too, and a row larger than the bound is kept alone", async () => {
  const parts = await start({ queue_max_bytes: 3_000, flush_interval_ms: 60_000 });
  await takeSteps(parts, "large", 2, { user: "x".repeat(4_000) });
  expect(await close(parts.gateway, "large")).toMatchObject({
    close: { telemetry: "lost", lost_rows: 1 },
  });
  expect(parts.gateway.steps("large").map(({ step_id }) => step_id)).toEqual([1]);
});

test("rows are committed together, at the flush interval or at batch_size rows", async () => {
  const parts = await start({ flush_interval_ms: 60_000, batch_size: 3 });
  const { gateway } = parts;
  const commits = () => metric(gateway, "gateway_telemetry_commits_total");
  await takeSteps(parts, "batched", 2);
  expect(await commits()).toBe(0);
  await takeSteps(parts, "batched", 1);
  await stepsOnceThereAre(gateway, "batched", 3);
  // The writer reports it after the rows are stored.
  await expect.poll(commits).toBe(1);
  expect(await metric(gateway, "gateway_telemetry_rows_written_total")).toBe(3);
});

test("closing the gateway writes the waiting rows", async () => {
  const parts = await start({ flush_interval_ms: 60_000 });
  await takeSteps(parts, "waiting", 3);
  expect(parts.gateway.steps("waiting")).toEqual([]);
  expect(await parts.gateway.gateway.close()).toEqual({ lost_rows: 0 });
  expect(parts.gateway.steps("waiting")).toHaveLength(3);
});
