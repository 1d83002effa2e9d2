import { chatCompletion, type FaultyUpstream, startFaultyUpstream, waitFor } from "@proj/test-kit";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { atRest } from "../pipeline/at-rest.ts";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { expectError, expectErrorAnswer } from "./error-answer.ts";
import {
  answerOn,
  beginUpload,
  buffered,
  keyOf,
  kibibyte,
  pathOf,
  session_secret,
} from "./slow-uploads.ts";

// One session's key must never shut out the others.

const body = { model: "policy", messages: [{ role: "user", content: "Hello" }] };
const operator = { authorization: "Bearer operator" };

let upstream: FaultyUpstream;
let gateway: TestGateway;

beforeAll(async () => {
  upstream = await startFaultyUpstream((_request, reply) => void reply.json(chatCompletion()));
  gateway = await startGateway({
    llm_routes: { policy: { base_url: upstream.url, max_concurrency: 4 } },
    auth: { api_keys: ["operator"], session_secret, open_metrics: true },
    max_buffered_bytes: 256 * kibibyte,
    max_body_bytes: 200 * kibibyte,
    session_key_limits: {
      max_in_flight: 3,
      max_body_bytes: 64 * kibibyte,
      max_buffered_bytes: 96 * kibibyte,
      max_route_share: 0.5,
    },
  });
});

afterEach(() => atRest(gateway));

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const ask = (session_id: string, headers = keyOf(session_id), content: unknown = body) =>
  gateway.post(pathOf(session_id), content, headers);

test("16 slow uploads with the key of a closed session are refused unread, and other callers are served", async () => {
  await gateway.post("/v1/sessions/closed/close?wait=5", {}, operator);
  const uploads = await Promise.all(
    Array.from({ length: 16 }, () => beginUpload(gateway, "closed", 60 * kibibyte, 16 * kibibyte)),
  );
  for (const upload of uploads) {
    expectErrorAnswer(await answerOn(upload), "session_closed");
  }
  expect(await buffered(gateway)).toBe(0);
  expect((await ask("another")).status).toBe(200);
});

test("a session whose environment has ended is refused unread, even if it is not in memory", async () => {
  gateway.database((database) =>
    database
      .prepare(
        `insert into job_environments (session_id, job_id, simulation_id, attempt, env_name,
         env_params, status, created_at)
         values ('finished', 'j', 'sim', 1, 'env', '{}', 'finished', '2026-01-01T00:00:00.000Z')`,
      )
      .run(),
  );
  await using upload = await beginUpload(gateway, "finished", 1_000, 10);
  expectErrorAnswer(await answerOn(upload), "session_closed");
});

test("a session key's body limit is checked by length; the operator's key has no such limit", async () => {
  const large = { ...body, padding: " ".repeat(100 * kibibyte) };
  await using upload = await beginUpload(gateway, "large", 100 * kibibyte, 0);
  expectErrorAnswer(await answerOn(upload), "request_too_large");
  expect((await ask("large", operator, large)).status).toBe(200);
});

test("a session's uploads fill its own share of the memory, and no more", async () => {
  const first = await beginUpload(gateway, "greedy", 60 * kibibyte, 50 * kibibyte);
  await waitFor(async () => (await buffered(gateway)) >= 50 * kibibyte, "the first upload");
  await using second = await beginUpload(gateway, "greedy", 60 * kibibyte, 10);
  expectErrorAnswer(await answerOn(second), "rate_limited");
  expect((await ask("another")).status).toBe(200);
  await first[Symbol.asyncDispose]();
});

test("a session's requests in flight are bounded, including waiting ones and uploads", async () => {
  const uploads = await Promise.all([1, 2, 3].map(() => beginUpload(gateway, "busy", 100, 1)));
  await waitFor(async () => (await buffered(gateway)) === 3, "three uploads");
  await expectError(await ask("busy"), "rate_limited");
  expect((await ask("another")).status).toBe(200);
  for (const upload of uploads) await upload[Symbol.asyncDispose]();
  await atRest(gateway);
  expect((await ask("busy")).status).toBe(200);
});

test("a session gets only its share of a route's places, and others get the rest", async () => {
  const order = upstream.requests.length;
  const hold = (): void => {};
  upstream.script(hold, hold, hold, hold);
  const greedy = [ask("hungry"), ask("hungry"), ask("hungry")];
  await waitFor(() => upstream.requests.length === order + 2, "two of three at the upstream");
  const others = [ask("other-1"), ask("other-2")];
  await waitFor(() => upstream.requests.length === order + 4, "both others at the upstream");
  expect(await waiting()).toBe(1);
  // A session that has its share does not get a place that another one gives back.
  await upstream.requests[order + 3]?.reply.json(chatCompletion());
  await Promise.race(others);
  expect(await waiting()).toBe(1);
  for (const { reply } of upstream.requests.slice(order))
    if (!reply.finished) await reply.json(chatCompletion());
  for (const answer of [...greedy, ...others]) expect((await answer).status).toBe(200);
});

async function waiting(): Promise<number> {
  const page = await (await fetch(`${gateway.url}/metrics`)).text();
  return Number(/^gateway_requests_waiting\{model="policy"\} (\d+)$/m.exec(page)?.[1]);
}
