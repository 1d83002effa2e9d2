import { type SessionKeyScope, sessionKey } from "@proj/gateway-protocol";
import { chatCompletion, rawRequest, startFaultyUpstream } from "@proj/test-kit";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { expectError } from "./error-answer.ts";
import { buffered } from "./slow-uploads.ts";

const session_secret = "the secret of all sessions";
const operator = { authorization: "Bearer operator" };
const keyOf = (session_id: string, scope: SessionKeyScope = {}): Record<string, string> => ({
  authorization: `Bearer ${sessionKey(session_secret, session_id, scope)}`,
});

let upstream: Awaited<ReturnType<typeof startFaultyUpstream>>;
let gateway: TestGateway;

beforeAll(async () => {
  upstream = await startFaultyUpstream(async (_request, reply) => {
    await reply.json(chatCompletion({ content: "x".repeat(200_000) }));
  });
  gateway = await startGateway({
    llm_routes: { policy: { base_url: upstream.url } },
    auth: { api_keys: ["operator"], session_secret, open_metrics: true },
    session_key_limits: { max_in_flight: 50 },
    timeouts: { caller_stall_s: 1 },
  });
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const ask = (session_id: string, headers = keyOf(session_id)): Promise<Response> => {
  const body = { model: "policy", messages: [{ role: "user", content: "Hello" }] };
  return gateway.post(`/v1/sessions/${session_id}/chat/completions`, body, headers);
};

/** Followers leave when the test has finished. */
function follow(session_id: string, headers = keyOf(session_id)): Promise<Response> {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const { signal } = leaving;
  return fetch(`${gateway.sessionUrl(session_id)}/live`, { headers, signal });
}

const read = (session_id: string, headers = keyOf(session_id)): Promise<Response> =>
  fetch(`${gateway.sessionUrl(session_id)}/rows?payload=true`, { headers });

test("an agent's parallel reads do not hold up another session", async () => {
  for (let step = 0; step < 40; step += 1) await (await ask("reader")).text();
  let ended = 0;
  const reads = Array.from({ length: 40 }, async () => {
    const answer = await read("reader");
    const { rows } = (await answer.json()) as { rows: unknown[] };
    ended += 1;
    return [answer.status, rows.length];
  });
  const other = await ask("other");
  await other.text();
  expect(other.status).toBe(200);
  // The new session was looked up, answered and stored while the agent's reads went on.
  expect(ended).toBeLessThan(40);
  expect(await read("other")).toHaveProperty("status", 200);
  expect(ended).toBeLessThan(40);
  for (const each of reads) expect(await each).toEqual([200, 40]);
});

test("a key's limits hold for every endpoint that it opens", async () => {
  const slow = keyOf("slow", { requests_per_second: 0.001 });
  expect((await read("slow", slow)).status).toBe(200);
  for (const path of ["", "/rows", "/models", "/live"]) {
    const answer = await fetch(gateway.sessionUrl("slow") + path, { headers: slow });
    await expectError(answer, "rate_limited");
  }
  expect((await read("slow", operator)).status).toBe(200);
});

test("followers count among the requests that a key allows at once", async () => {
  await using narrow = await startGateway({
    llm_routes: { policy: { base_url: upstream.url } },
    auth: { api_keys: ["operator"], session_secret },
    session_key_limits: { max_in_flight: 2 },
  });
  const leaving = new AbortController();
  const { signal } = leaving;
  const url = narrow.sessionUrl("narrow");
  const headers = keyOf("narrow");
  const followers = [1, 2].map(() => fetch(`${url}/live`, { headers, signal }));
  for (const each of followers) expect((await each).status).toBe(200);
  await expectError(await fetch(`${url}/rows`, { headers }), "rate_limited");
  leaving.abort();
  await expect.poll(async () => (await fetch(`${url}/rows`, { headers })).status).toBe(200);
});

test("agents that follow their sessions leave the operator's places free", async () => {
  const sessions = Array.from({ length: 10 }, (_, index) => `followed-${index}`);
  const agents = sessions.flatMap((id) => Array.from({ length: 10 }, () => follow(id)));
  for (const each of agents) expect((await each).status).toBe(200);
  expect((await follow("one-more")).status).toBe(503);
  expect((await follow("followed-0", operator)).status).toBe(200);
});

test("a follower that reads nothing fills its session's share of the memory, and is cut off", async () => {
  for (let step = 0; step < 40; step += 1) await (await ask("unread")).text();
  const { authorization = "" } = keyOf("unread");
  await using caller = await rawRequest(gateway.port);
  caller.pause();
  const head = `GET /v1/sessions/unread/live HTTP/1.1\r\nhost: localhost\r\nlast-event-id: 0`;
  await caller.write(`${head}\r\nauthorization: ${authorization}\r\n\r\n`);
  await expect.poll(() => buffered(gateway)).toBeGreaterThan(6_000_000);
  await expect.poll(() => buffered(gateway), { timeout: 20_000 }).toBe(0);
  caller.resume();
  await caller.readUntilClosed();
});

test("following ends with the key", async () => {
  const scope = { expires_at: Math.ceil(Date.now() / 1_000) + 1 };
  const live = await follow("expiring", keyOf("expiring", scope));
  expect(live.status).toBe(200);
  await live.text();
  expect(Date.now()).toBeGreaterThanOrEqual(1_000 * scope.expires_at);
});

test("following ends when a close ends the key", async () => {
  const key = keyOf("closing", { models: ["policy"] });
  expect((await ask("closing", key)).status).toBe(200);
  const live = await follow("closing", key);
  await gateway.post("/v1/sessions/closing/close?wait=5", {}, operator);
  expect(await live.text()).toContain("event: status");
});
