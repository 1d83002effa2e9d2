import type { SessionStatusBody, StepsBody } from "@proj/gateway-protocol";
import { startDemoUpstream } from "@proj/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { expectError } from "./error-answer.ts";

let upstream: Awaited<ReturnType<typeof startDemoUpstream>>;
let gateway: TestGateway;
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

beforeAll(async () => {
  upstream = await startDemoUpstream();
  const { url: base_url } = upstream;
  gateway = await startGateway({
    max_steps: 5,
    llm_routes: { demo: { base_url }, other: { base_url } },
  });
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

async function chat(session_id: string, model = "demo"): Promise<void> {
  const body = { model, messages: [{ role: "user", content: "Hello" }] };
  const response = await gateway.post(`/v1/sessions/${session_id}/chat/completions`, body);
  expect(response.status).toBe(200);
}

async function get<Body = unknown>(path: string): Promise<Body> {
  const response = await fetch(gateway.url + path);
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(response.status).toBe(200);
  return response.json() as Promise<Body>;
}

async function post(path: string, body: unknown = ""): Promise<Response> {
  const response = await gateway.post(path, body);
  expect(response.status).toBe(200);
  return response;
}

test("status returns the session's id, its counts and whether it is open", async () => {
  await chat("status");
  await chat("status");
  await chat("status", "other");
  const status = await get<SessionStatusBody>("/v1/sessions/status");
  expect(status).toEqual({
    session_id: "status",
    status: "active",
    environment: null,
    fork: null,
    created_at: time,
    last_seen_at: time,
    closed_at: null,
    close: null,
    in_flight: 0,
    models: {
      demo: {
        steps: 2,
        successes: 2,
        latest_success_step: 2,
        stopped: false,
        prompt_tokens: expect.any(Number),
        completion_tokens: expect.any(Number),
        cost_nano_usd: 0,
      },
      other: expect.objectContaining({ steps: 1, latest_success_step: 1 }),
    },
    tokens: expect.any(Number),
    cost_nano_usd: 0,
    max_steps: 5,
    max_tokens: -1,
    max_cost_usd: null,
  });
  expect(status.models.demo?.prompt_tokens).toBeGreaterThan(0);
  expect(status.models.demo?.completion_tokens).toBeGreaterThan(0);
  expect(Date.parse(status.last_seen_at)).toBeGreaterThanOrEqual(Date.parse(status.created_at));
});

test("the status of a session with an environment row shows that row", async () => {
  gateway.database((database) =>
    database.exec(`insert into job_environments
      (session_id, job_id, simulation_id, attempt, env_name, group_id, status, created_at)
      values ('bound', 'job-1', 'sim-1', 2, 'maze', 'g-1', 'running', '2026-01-01T00:00:00.000Z')`),
  );
  await chat("bound");
  expect(await get("/v1/sessions/bound")).toMatchObject({
    environment: {
      job_id: "job-1",
      simulation_id: "sim-1",
      attempt: 2,
      env_name: "maze",
      group_id: "g-1",
      status: "running",
    },
  });
});

test("the first close answers closing with Retry-After, a waiting close answers closed without it", async () => {
  await chat("closing");
  const first = await post("/v1/sessions/closing/close", { reason: "evaluated" });
  expect(first.headers.get("retry-after")).toBe("10");
  expect(await first.json()).toMatchObject({
    session_id: "closing",
    status: "closing",
    closed_at: null,
    close: { reason: "evaluated", drained: false, telemetry: "pending", forced: false },
  });
  const second = await post("/v1/sessions/closing/close?wait=10", { reason: "again" });
  expect(second.headers.get("retry-after")).toBeNull();
  const closed = (await second.json()) as SessionStatusBody;
  expect(closed).toEqual({
    session_id: "closing",
    status: "closed",
    environment: null,
    fork: null,
    created_at: time,
    last_seen_at: time,
    closed_at: time,
    close: {
      reason: "evaluated",
      drained: true,
      telemetry: "flushed",
      forced: false,
      lost_rows: 0,
    },
    in_flight: 0,
    models: { demo: expect.objectContaining({ steps: 1 }) },
    tokens: expect.any(Number),
    cost_nano_usd: 0,
    max_steps: 5,
    max_tokens: -1,
    max_cost_usd: null,
  });
  expect(await get("/v1/sessions/closing")).toEqual(closed);
});

test.each([
  ["no body", ""],
  ["an empty object", "{}"],
  ["a mode", '{"mode":"abort"}'],
  ["members that it does not know", '{"later":true}'],
  ["64 KiB", `{"padding":"${"x".repeat(65_536 - 14)}"}`],
])("close takes %s", async (what, body) => {
  const path = `/v1/sessions/with-${what.replaceAll(" ", "-")}/close?wait=10`;
  expect(await (await post(path, body)).json()).toMatchObject({ status: "closed" });
});

test("closing an unknown session opens and closes it", async () => {
  const response = await post("/v1/sessions/unknown/close?wait=0.5");
  expect(await response.json()).toMatchObject({ status: "closed", models: {} });
});

test.each([
  ["malformed JSON", "{reason", "invalid_request", null],
  ["truncated JSON", '{"reason":"x"', "invalid_request", null],
  ["an array", "[]", "invalid_request", null],
  ["null", "null", "invalid_request", null],
  ["text", '"abort"', "invalid_request", null],
  ["a reason that is a number", '{"reason":1}', "invalid_request", "reason"],
  ["a reason that is too long", `{"reason":"${"x".repeat(1_001)}"}`, "invalid_request", "reason"],
  ["an unknown mode", '{"mode":"kill"}', "invalid_request", "mode"],
  ["arrays nested 30,000 deep", "[".repeat(30_000), "invalid_request", null],
  ["more than 64 KiB", " ".repeat(65_537), "request_too_large", null],
])("close refuses %s, and the session stays open", async (_what, body, code, param) => {
  await chat("refuses", "other");
  await expectError(await gateway.post("/v1/sessions/refuses/close", body), code, { param });
  expect(await get("/v1/sessions/refuses")).toMatchObject({ status: "active", close: null });
  await gateway.post("/v1/sessions/refuses/close?wait=10", "");
  await gateway.post("/v1/sessions/refuses/clean", "");
});

test("close refuses an encoded body, and a wait that is not a number", async () => {
  const headers = { "content-encoding": "gzip" };
  const encoded = await gateway.post("/v1/sessions/open/close", "{}", headers);
  await expectError(encoded, "unsupported_encoding");
  for (const wait of ["soon", "-1", "1e3", "", "Infinity"]) {
    const response = await gateway.post(`/v1/sessions/open/close?wait=${wait}`, "");
    await expectError(response, "invalid_request", { param: "wait" });
  }
  await expectError(await fetch(gateway.sessionUrl("open")), "session_not_found");
});

test("clean says whether there was something to clean, and keeps what is stored", async () => {
  await chat("cleaned");
  await post("/v1/sessions/cleaned/close?wait=10");
  const clean = async (): Promise<unknown> =>
    (await post("/v1/sessions/cleaned/clean", "no body is read here")).json();
  expect(await clean()).toEqual({ session_id: "cleaned", cleaned: true });
  expect(await clean()).toEqual({ session_id: "cleaned", cleaned: false });
  await expectError(await fetch(gateway.sessionUrl("cleaned")), "session_not_found");
  expect(await get("/v1/sessions/cleaned/latest-success-step?model=demo")).toEqual({
    session_id: "cleaned",
    model: "demo",
    step_id: 1,
  });
  expect(await get("/v1/sessions/cleaned/steps")).toHaveProperty("steps.length", 1);
});

test("latest-success-step is null if no step succeeded, and requires one model", async () => {
  const path = "/v1/sessions/none/latest-success-step";
  for (const model of ["demo", "__proto__", "not a route"])
    expect(await get(`${path}?model=${encodeURIComponent(model)}`)).toEqual({
      session_id: "none",
      model,
      step_id: null,
    });
  for (const query of ["", "?model=", "?model=demo&model=other", "?Model=demo"]) {
    const response = await fetch(gateway.url + path + query);
    await expectError(response, "invalid_request", { param: "model" });
  }
});

test("steps pages through the stored rows, of all models or of one", async () => {
  for (const model of ["demo", "other", "demo"]) await chat("paged", model);
  const base = "/v1/sessions/paged/steps";
  const all = await get<StepsBody>(base);
  expect(all.next_after).toBeNull();
  expect(all.steps.map(({ model, step_id }) => [model, step_id])).toEqual([
    ["demo", 1],
    ["other", 1],
    ["demo", 2],
  ]);
  const { meta_json, messages, response, ...rest } = all.steps[0] ?? {};
  expect(JSON.parse(meta_json ?? "")).toMatchObject({ status_code: 200 });
  expect(JSON.parse(messages ?? "")).toEqual([{ role: "user", content: "Hello" }]);
  expect(JSON.parse(response ?? "")).toHaveProperty("choices");
  expect(rest).toMatchObject({ session_id: "paged", is_trainable: false, created_at: time });

  const first = await get<StepsBody>(`${base}?limit=2`);
  expect(first.steps).toEqual(all.steps.slice(0, 2));
  expect(first.next_after).toBe(all.steps[1]?.id);
  const second = await get<StepsBody>(`${base}?limit=2&after=${first.next_after}`);
  expect(second).toEqual({ steps: all.steps.slice(2), next_after: null });
  const ofOne = await get<StepsBody>(`${base}?model=other`);
  expect(ofOne.steps).toEqual(all.steps.slice(1, 2));
  expect(await get(`${base}?model=nobody`)).toEqual({ steps: [], next_after: null });
});
