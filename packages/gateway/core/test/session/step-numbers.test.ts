import {
  chatCompletion,
  resetBeforeHeaders,
  startDemoUpstream,
  startFaultyUpstream,
} from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";
import { inFlight, type SessionClient, sessionClient } from "./session-client.ts";

async function stepOf(answer: Promise<Response>): Promise<number> {
  const { headers } = await finished(answer);
  return Number(headers.get("x-gateway-step-id"));
}

async function finished(answer: Promise<Response>): Promise<Response> {
  const response = await answer;
  await response.text();
  return response;
}

async function takeSteps(session: SessionClient, count: number): Promise<number[]> {
  const steps: number[] = [];
  for (let index = 0; index < count; index += 1) steps.push(await stepOf(session.chat()));
  return steps;
}

const oneTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

test("50 concurrent first requests of one session get the numbers 1 to 50, each once", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
  const session = sessionClient(gateway, "s");
  const steps = await Promise.all(oneTo(50).map(() => stepOf(session.chat())));
  expect(steps.toSorted((one, other) => one - other)).toEqual(oneTo(50));
  const rows = gateway.steps("s").map((row) => row.step_id);
  expect(rows.toSorted((one, other) => one - other)).toEqual(oneTo(50));
  for (const row of gateway.steps("s")) expect(row.meta).not.toHaveProperty("renumbered_from");
  expect((await session.status()).models.demo).toMatchObject({ steps: 50, successes: 50 });
});

test("after a restart 50 concurrent first requests continue the stored numbers, each used once", async () => {
  await using upstream = await startDemoUpstream();
  const config = { llm_routes: { demo: { base_url: upstream.url } } };
  await using first = await startGateway(config);
  expect(await takeSteps(sessionClient(first, "s"), 3)).toEqual([1, 2, 3]);
  await first.gateway.close();
  await using second = await startGateway(config, { folder: first.folder });
  const session = sessionClient(second, "s");
  const steps = await Promise.all(oneTo(50).map(() => stepOf(session.chat())));
  expect(steps.toSorted((one, other) => one - other)).toEqual(oneTo(53).slice(3));
  for (const row of second.steps("s")) expect(row.meta).not.toHaveProperty("renumbered_from");
  const { models } = await session.status();
  expect(models.demo).toMatchObject({ steps: 53, successes: 53, latest_success_step: 53 });
});

test("two models of a session, and two sessions of a model, are counted apart", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url }, other: { base_url: upstream.url } },
  });
  const session = sessionClient(gateway, "s");
  expect(await takeSteps(session, 2)).toEqual([1, 2]);
  expect(await stepOf(session.chat({ model: "other" }))).toBe(1);
  expect(await stepOf(sessionClient(gateway, "t").chat())).toBe(1);
  expect(await stepOf(session.chat())).toBe(3);
});

test("requests that the upstream failed or refused are steps too", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
  const session = sessionClient(gateway, "s");
  upstream.script(
    resetBeforeHeaders(),
    (_, reply) => void reply.json({ error: {} }, { status: 500 }),
    (_, reply) => void reply.json(chatCompletion()),
  );
  const answers: [status: number, step: string | null][] = [];
  for (let index = 0; index < 3; index += 1) {
    const answer = await finished(session.chat());
    answers.push([answer.status, answer.headers.get("x-gateway-step-id")]);
  }
  expect(answers).toEqual([
    [502, "1"],
    [500, "2"],
    [200, "3"],
  ]);
  expect(gateway.steps("s").map((row) => [row.step_id, row.status_code])).toEqual([
    [1, 502],
    [2, 500],
    [3, 200],
  ]);
});

test("a request that is refused or abandoned while it waits is not a step and leaves no row", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url, max_concurrency: 1, max_queue: 1 } },
  });
  const session = sessionClient(gateway, "s");
  const holding = session.chat();
  const first = await upstream.nextRequest();
  const caller = new AbortController();
  const abandoned = session.chat({ signal: caller.signal });
  await inFlight(session, 2);
  const refused = await finished(session.chat());
  expect([refused.status, refused.headers.get("x-gateway-step-id")]).toEqual([429, null]);
  caller.abort();
  await expect(abandoned).rejects.toThrow();
  await inFlight(session, 1);

  await first.reply.json(chatCompletion());
  expect(await stepOf(holding)).toBe(1);
  const next = session.chat();
  await (await upstream.nextRequest()).reply.json(chatCompletion());
  expect(await stepOf(next)).toBe(2);
  expect(upstream.requests).toHaveLength(2);
  expect(gateway.steps("s").map((row) => row.step_id)).toEqual([1, 2]);
});

test("requests that never become a call are not steps: unknown model, broken body", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
  const session = sessionClient(gateway, "s");
  expect((await finished(session.chat({ model: "unknown" }))).status).toBe(404);
  const broken = gateway.post("/v1/sessions/s/chat/completions", "{");
  expect((await finished(broken)).status).toBe(400);
  expect(await takeSteps(session, 1)).toEqual([1]);
  expect(gateway.steps("s")).toHaveLength(1);
});

test("unbound requests are not steps and leave no row", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
  const body = { model: "demo", messages: [{ role: "user", content: "Hello" }] };
  const answer = await finished(gateway.post("/v1/chat/completions", body));
  expect([answer.status, answer.headers.get("x-gateway-step-id")]).toEqual([200, null]);
  const count = gateway.database((database) =>
    database.prepare("select count(*) from session_steps").pluck().get(),
  );
  expect(count).toBe(0);
});
