import { renameSync, rmSync } from "node:fs";
import { chatCompletion, waitFor } from "@proj/test-kit";
import { expect, onTestFinished, test } from "vitest";
import {
  startUpstreamBySession,
  type UpstreamBySession,
} from "../recording/upstream-by-session.ts";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { chatPath, chatRequest } from "./bound-calls.ts";

const files = (path: string): string[] => ["", "-wal", "-shm"].map((suffix) => path + suffix);

async function start(): Promise<{ gateway: TestGateway; upstream: UpstreamBySession }> {
  const upstream = await startUpstreamBySession();
  onTestFinished(() => upstream.close());
  const gateway = await startGateway({
    llm_routes: { policy: { base_url: upstream.url } },
    telemetry: { write_timeout_s: 1 },
  });
  onTestFinished(() => gateway.close());
  return { gateway, upstream };
}

const readiness = async (gateway: TestGateway): Promise<string> => {
  const answer = await fetch(`${gateway.url}/readyz`);
  const { status } = (await answer.json()) as { status: string };
  expect(answer.status).toBe(status === "ready" ? 200 : 503);
  return status;
};

/** Calls the model in a session, and returns how that ended for the caller. */
async function call({ gateway, upstream }: Awaited<ReturnType<typeof start>>, session_id: string) {
  upstream.answer(session_id, (_request, reply) => void reply.json(chatCompletion()));
  const answer = await gateway.post(chatPath(session_id), chatRequest());
  await answer.text();
  return answer.status;
}

test.each([
  ["removed", (path: string) => void files(path).forEach((file) => void rmSync(file))],
  ["renamed", (path: string) => void renameSync(path, `${path}.old`)],
  ["without its WAL", (path: string) => void rmSync(`${path}-wal`)],
])("no success is reported while the database is %s", async (_, happen) => {
  const both = await start();
  const { gateway } = both;
  expect(await call(both, "before")).toBe(200);
  happen(gateway.databasePath);
  expect(await call(both, "after")).toBe(503);
});

test("an idle gateway is storage_replaced, and ready once its own database is back", async () => {
  const both = await start();
  const { gateway } = both;
  expect(await call(both, "first")).toBe(200);
  gateway.database((database) => database.exec(`vacuum into '${gateway.databasePath}.backup'`));
  for (const file of files(gateway.databasePath)) rmSync(file);
  expect(await call(both, "first")).toBe(503);
  await waitFor(
    async () => (await readiness(gateway)) === "storage_replaced",
    "the gateway to notice",
  );
  expect(gateway.logged.at(-1)).toMatchObject({
    level: "error",
    message: "storage cannot be written",
  });

  renameSync(`${gateway.databasePath}.backup`, gateway.databasePath);
  await waitFor(
    async () => (await readiness(gateway)) === "ready",
    "the gateway to be ready again",
  );
  expect(await call(both, "first")).toBe(200);
  // The row of the refused call was kept in memory.
  const rows = gateway.steps("first").map(({ step_id, status_code }) => [step_id, status_code]);
  expect(rows).toEqual([
    [1, 200],
    [2, 503],
    [3, 200],
  ]);
});

test("a session continues with whole rows if the backup lacks their bases", async () => {
  const both = await start();
  const { gateway, upstream } = both;
  upstream.answer("s", (_request, reply) => void reply.json(chatCompletion()));
  const messages: unknown[] = [];
  const say = async (content: string): Promise<void> => {
    messages.push({ role: "user", content: content.padEnd(10_000, ".") });
    const answer = await gateway.post(chatPath("s"), chatRequest({ messages }));
    expect(answer.status).toBe(200);
    await answer.text();
  };
  await say("one");
  gateway.database((database) => database.exec(`vacuum into '${gateway.databasePath}.backup'`));
  await say("two");
  renameSync(`${gateway.databasePath}.backup`, gateway.databasePath);
  await waitFor(
    async () => (await readiness(gateway)) === "storage_replaced",
    "the gateway to notice",
  );
  await waitFor(
    async () => (await readiness(gateway)) === "ready",
    "the gateway to be ready again",
  );
  await say("three");
  await say("four");
  const steps = gateway.steps("s");
  expect(steps.map(({ step_id }) => step_id)).toEqual([1, 3, 4]);
  expect(steps.map((step) => step.messages === null)).toEqual([false, true, false]);
  expect(steps[2]?.messages).toBe(JSON.stringify(messages));
});
