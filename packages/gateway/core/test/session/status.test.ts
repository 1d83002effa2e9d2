import type { SessionListBody, StepsBody } from "@proj/gateway-protocol";
import { chatCompletion, startDemoUpstream, startFaultyUpstream } from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { refusal, reply, sessionClient } from "./session-client.ts";

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

async function getJson<Body>(gateway: TestGateway, path: string): Promise<Body> {
  return (await reply<Body>(await fetch(gateway.url + path))).body;
}

test("the status of a session has all its members", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url }, other: { base_url: upstream.url } },
    max_steps: 2,
  });
  const session = sessionClient(gateway, "s");
  const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
  const first = session.chat();
  await (await upstream.nextRequest()).reply.json({ ...chatCompletion(), usage });
  await (await first).text();
  const second = session.chat();
  await (await upstream.nextRequest()).reply.json({ error: {} }, { status: 500 });
  await (await second).text();
  await (await session.chat()).text();
  const waiting = session.chat({ model: "other" });
  const request = await upstream.nextRequest();

  const status = await session.status();
  expect(status).toEqual({
    session_id: "s",
    status: "active",
    environment: null,
    created_at: expect.stringMatching(iso),
    last_seen_at: expect.stringMatching(iso),
    closed_at: null,
    close: null,
    in_flight: 1,
    models: {
      demo: {
        steps: 2,
        successes: 1,
        latest_success_step: 1,
        stopped: true,
        prompt_tokens: 7,
        completion_tokens: 3,
        cost_nano_usd: 0,
      },
      other: {
        steps: 1,
        successes: 0,
        latest_success_step: null,
        stopped: false,
        prompt_tokens: 0,
        completion_tokens: 0,
        cost_nano_usd: 0,
      },
    },
    tokens: 10,
    cost_nano_usd: 0,
    max_steps: 2,
    max_tokens: -1,
    max_cost_usd: null,
    fork: null,
  });
  expect(status.last_seen_at >= status.created_at).toBe(true);
  await request.reply.json(chatCompletion());
  await (await waiting).text();
  expect(await session.status()).toMatchObject({ in_flight: 0 });
});

test("the status of an unknown session is 404, and does not open it", async () => {
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: "http://127.0.0.1:9/v1" } },
  });
  for (let time = 0; time < 2; time += 1)
    expect(await refusal(await fetch(gateway.sessionUrl("s")))).toBe(
      "404 session_not_found, retry false",
    );
  expect(await getJson(gateway, "/v1/sessions")).toEqual({ sessions: [], next_after: null });
});

test("the sessions in memory are listed page by page, each once", async () => {
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: "http://127.0.0.1:9/v1" } },
  });
  const ids = ["e", "a", "c", "B", "d"];
  for (const id of ids) await sessionClient(gateway, id).close();
  const seen: string[] = [];
  let after = "";
  for (let pages = 0; pages < 3; pages += 1) {
    const path = `/v1/sessions?limit=2${after === "" ? "" : `&after=${after}`}`;
    const page = await getJson<SessionListBody>(gateway, path);
    seen.push(...page.sessions.map((session) => session.session_id));
    after = page.next_after ?? "";
  }
  expect(seen).toEqual(ids.toSorted());
  expect(after).toBe("");
  const { sessions } = await getJson<SessionListBody>(gateway, "/v1/sessions");
  expect(sessions[0]).toEqual({
    session_id: "B",
    status: "closed",
    created_at: expect.stringMatching(iso),
    last_seen_at: expect.stringMatching(iso),
    in_flight: 0,
  });
});

test("the stored steps of a session are paged in the order of their ids, of all models or of one", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url }, other: { base_url: upstream.url } },
  });
  const session = sessionClient(gateway, "s");
  for (const model of ["demo", "other", "demo", "other", "demo"])
    await (await session.chat({ model })).text();
  await (await sessionClient(gateway, "another").chat()).text();

  const first = await getJson<StepsBody>(gateway, "/v1/sessions/s/steps?limit=3");
  const second = await getJson<StepsBody>(
    gateway,
    `/v1/sessions/s/steps?limit=3&after=${first.next_after}`,
  );
  const steps = [...first.steps, ...second.steps];
  expect(steps.map(({ model, step_id }) => `${model} ${step_id}`)).toEqual([
    "demo 1",
    "other 1",
    "demo 2",
    "other 2",
    "demo 3",
  ]);
  expect(second.next_after).toBeNull();
  expect(steps.map((step) => step.id)).toEqual(gateway.steps("s").map((row) => row.id));
  expect(first.steps[0]).toMatchObject({
    session_id: "s",
    status_code: 200,
    is_trainable: false,
    messages: expect.stringMatching(/^\[\{"role":"user","content":"Hello \d+"\}\]$/),
  });
  const other = await getJson<StepsBody>(gateway, "/v1/sessions/s/steps?model=other");
  expect(other.steps.map((step) => step.step_id)).toEqual([1, 2]);
  const none = await getJson<StepsBody>(gateway, "/v1/sessions/none/steps");
  expect(none).toEqual({ steps: [], next_after: null });
});

test("latest-success-step returns the largest step with status 200, from memory, or from storage after a restart", async () => {
  await using upstream = await startFaultyUpstream();
  const config = {
    llm_routes: { demo: { base_url: upstream.url }, other: { base_url: upstream.url } },
  };
  await using first = await startGateway(config);
  const session = sessionClient(first, "s");
  expect(await session.latestSuccessStep()).toEqual({
    session_id: "s",
    model: "demo",
    step_id: null,
  });
  for (const status of [200, 200, 429]) {
    const answer = session.chat();
    await (await upstream.nextRequest()).reply.json(chatCompletion(), { status });
    await (await answer).text();
  }
  const latest = { session_id: "s", model: "demo", step_id: 2 };
  expect(await session.latestSuccessStep()).toEqual(latest);
  expect(await session.latestSuccessStep("other")).toMatchObject({ model: "other", step_id: null });
  expect(await session.latestSuccessStep("no-route")).toMatchObject({ step_id: null });
  await first.gateway.close();

  await using second = await startGateway(config, { folder: first.folder });
  expect(await sessionClient(second, "s").latestSuccessStep()).toEqual(latest);
});

test("latest-success-step without a model is 400", async () => {
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: "http://127.0.0.1:9/v1" } },
  });
  for (const query of ["", "?model=", "?model=a&model=b"]) {
    const answer = await fetch(`${gateway.sessionUrl("s")}/latest-success-step${query}`);
    expect(await refusal(answer)).toBe("400 invalid_request, retry false");
  }
});
