import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startDemoUpstream, temporaryFolder, waitFor } from "@proj/test-kit";
import { expect, test } from "vitest";
import { sessionClient } from "../session/session-client.ts";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { expectError } from "./error-answer.ts";

type Line = Readonly<Record<string, unknown>>;

/** The lines of the request log, once there are this many. */
function lines(gateway: TestGateway, count: number): Promise<Line[]> {
  return waitFor(() => {
    if (!existsSync(gateway.requestLogPath)) return null;
    const text = readFileSync(gateway.requestLogPath, "utf8");
    const read = text.split("\n").slice(0, -1);
    return read.length >= count ? read.map((line) => JSON.parse(line) as Line) : null;
  }, `${count} lines of the request log`);
}

test("each model request leaves a line: request, stop or refused, with its ids, timings and bodies", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({
    max_steps: 1,
    llm_routes: { demo: { base_url: upstream.url } },
  });
  const session = sessionClient(gateway, "s");
  const answered = await session.chat({ content: "Hello" });
  const answer = await answered.text();
  await (await session.chat()).text();
  await (await session.chat({ model: "nobody" })).text();
  await gateway.post("/v1/responses", { model: "demo", input: "Hello" });
  await gateway.post("/v1/chat/completions", {}, { origin: "https://example.com" });
  await gateway.post("/v1/sessions/%zz/responses", {});
  // Other requests leave no line.
  await session.status();

  const [request, stop, refused, unbound, foreign, invalid, ...others] = await lines(gateway, 6);
  expect(others).toEqual([]);
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const milliseconds = expect.any(Number);
  expect(request).toMatchObject({
    time,
    event: "request",
    request_id: gateway.steps("s")[0]?.request_id,
    session_id: "s",
    model: "demo",
    step_id: 1,
    endpoint: "chat_completions",
    status_code: 200,
    outcome: "completed",
    queue_ms: milliseconds,
    ttft_ms: milliseconds,
    upstream_ms: milliseconds,
    gateway_ms: milliseconds,
    duration_ms: milliseconds,
    request: expect.stringContaining('"messages":[{"role":"user","content":"Hello"}]'),
    response: answer,
  });
  expect(stop).toMatchObject({ event: "stop", session_id: "s", step_id: null, status_code: 200 });
  expect(refused).toMatchObject({
    event: "refused",
    session_id: "s",
    endpoint: "chat_completions",
    status_code: 404,
    code: "model_not_found",
    outcome: null,
  });
  expect(unbound).toMatchObject({
    event: "request",
    session_id: null,
    step_id: null,
    endpoint: "responses",
    outcome: "completed",
  });
  expect(foreign).toMatchObject({ event: "refused", status_code: 403, code: "origin_not_allowed" });
  expect(invalid).toMatchObject({
    event: "refused",
    session_id: null,
    status_code: 400,
    code: "invalid_session_id",
  });
  for (const line of [request, stop, refused, unbound, foreign, invalid])
    expect(line?.request_id).toMatch(/^[\w-]{36}$/);
});

test("requests refused for their key, length or body are counted by reason", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    max_body_bytes: 100,
    auth: { api_keys: ["key"], open_metrics: true },
  });
  const path = "/v1/sessions/s/chat/completions";
  await expectError(await gateway.post(path, {}), "invalid_api_key");
  const authorization = "Bearer key";
  const large = await gateway.post(path, " ".repeat(101), { authorization });
  await expectError(large, "request_too_large");
  await expectError(await gateway.post(path, "{", { authorization }), "invalid_request");
  const text = await (await fetch(`${gateway.url}/metrics`)).text();
  for (const reason of ["invalid_api_key", "request_too_large", "invalid_request"])
    expect(text).toContain(`gateway_requests_refused_total{reason="${reason}"} 1\n`);
  expect((await lines(gateway, 3)).map(({ code }) => code)).toEqual([
    "invalid_api_key",
    "request_too_large",
    "invalid_request",
  ]);
});

test("an unwritable request log stops no request, and the service log reports it", async () => {
  await using upstream = await startDemoUpstream();
  await using folder = await temporaryFolder();
  // A folder in place of the file, which not even root can write to.
  const path = join(folder.path, "requests.jsonl");
  mkdirSync(path);
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    request_log: { path },
  });
  const session = sessionClient(gateway, "s");
  for (const step of ["1", "2", "3"]) {
    const response = await session.chat();
    expect(response.status).toBe(200);
    expect(response.headers.get("x-gateway-step-id")).toBe(step);
  }
  await waitFor(
    () => gateway.logged.some(({ level, message }) => level === "error" && /log/.test(message)),
    "the service log to report it",
  );
});
