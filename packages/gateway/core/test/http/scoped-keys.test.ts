import { type SessionKeyScope, sessionKey } from "@proj/gateway-protocol";
import { startDemoUpstream, temporaryFolder, waitFor } from "@proj/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { expectError } from "./error-answer.ts";

const session_secret = "the secret of all sessions";
const previous_session_secret = "the secret of those before";
const operator = { authorization: "Bearer operator" };

let upstream: Awaited<ReturnType<typeof startDemoUpstream>>;
let gateway: TestGateway;
let config: Record<string, unknown>;

beforeAll(async () => {
  upstream = await startDemoUpstream();
  const route = { base_url: upstream.url, upstream_model: "demo" };
  config = {
    llm_routes: { policy: route, judge: route },
    auth: { api_keys: ["operator"], session_secret, previous_session_secret },
    max_steps: 3,
  };
  gateway = await startGateway(config);
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

function ask(
  session_id: string,
  key: string,
  model = "policy",
  { post } = gateway,
): Promise<Response> {
  const body = { model, messages: [{ role: "user", content: "Hello" }] };
  const headers = { authorization: `Bearer ${key}` };
  return post(`/v1/sessions/${session_id}/chat/completions`, body, headers);
}

const scoped = (session_id: string, scope: SessionKeyScope): string =>
  sessionKey(session_secret, session_id, scope);

test("a key opens only the models that it names", async () => {
  const key = scoped("models", { models: ["policy"] });
  expect((await ask("models", key)).status).toBe(200);
  const before = upstream.requests.length;
  const message = await expectError(await ask("models", key, "judge"), "model_not_allowed", {
    param: "model",
  });
  expect(message).toContain("policy");
  expect(upstream.requests.length).toBe(before);
});

test.each([
  ["OpenAI's", {}],
  ["Anthropic's", { "anthropic-version": "2023-06-01" }],
])("a key sees only its own models in %s lists", async (_whose, client) => {
  const scope = { authorization: `Bearer ${scoped("lists", { models: ["policy", "gone"] })}` };
  const read = async (path: string, headers: Record<string, string> = scope) => {
    const answer = await fetch(gateway.sessionUrl("lists") + path, {
      headers: { ...client, ...headers },
    });
    const body: unknown = await answer.json();
    return { status: answer.status, body };
  };
  for (const path of ["/models", "/v1/models"]) {
    const { body } = await read(path);
    expect(body).toMatchObject({ data: [{ id: "policy" }] });
  }
  expect(await read("/models/policy")).toMatchObject({ status: 200, body: { id: "policy" } });
  const refused = await read("/models/judge");
  expect(refused.status).toBe(404);
  expect(JSON.stringify(refused)).not.toContain("Did you mean");
  const all = await read("/models/judge", operator);
  expect(all).toMatchObject({ status: 200, body: { id: "judge" } });
});

test("a key opens nothing once it has expired", async () => {
  const now = Math.floor(Date.now() / 1_000);
  expect((await ask("expires", scoped("expires", { expires_at: now + 60 }))).status).toBe(200);
  const late = await ask("expires", scoped("expires", { expires_at: now - 1 }));
  expect(await expectError(late, "invalid_api_key")).toContain("expired");
});

test.each([
  [2, 2],
  [9, 3],
  [0, 0],
])(
  "with a key for %i steps a session takes %i, within the gateway's limit",
  async (max_steps, steps) => {
    const session_id = `steps-${max_steps}`;
    const key = scoped(session_id, { max_steps });
    for (let step = 1; step <= steps + 2; step++) {
      const { status, headers } = await ask(session_id, key);
      expect([status, headers.get("x-gateway-stop")]).toEqual([
        200,
        step > steps ? "max_steps" : null,
      ]);
    }
    expect(gateway.steps(session_id)).toHaveLength(steps);
  },
);

test("a key is limited in requests per second, and the refusal says when to retry", async () => {
  const key = scoped("rate", { requests_per_second: 0.001 });
  expect((await ask("rate", key)).status).toBe(200);
  const refused = await ask("rate", key);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(900);
  await expectError(refused, "rate_limited");
  // Another session has its own tokens.
  expect((await ask("rate-2", scoped("rate-2", { requests_per_second: 0.001 }))).status).toBe(200);
});

test("keys of both secrets open their session", async () => {
  expect((await ask("rotated", sessionKey(previous_session_secret, "rotated"))).status).toBe(200);
  expect((await ask("rotated", sessionKey(session_secret, "rotated"))).status).toBe(200);
  await expectError(
    await ask("rotated", sessionKey("yet another secret", "rotated")),
    "invalid_api_key",
  );
});

test("a close ends a scoped key even after a clean; a plain key works again", async () => {
  const key = scoped("revoked", {});
  expect((await ask("revoked", key)).status).toBe(200);
  await gateway.post("/v1/sessions/revoked/close?wait=5", {}, operator);
  await expectError(await ask("revoked", key), "session_closed");
  await gateway.post("/v1/sessions/revoked/clean", {}, operator);
  await expectError(await ask("revoked", key), "session_closed");
  expect((await ask("revoked", sessionKey(session_secret, "revoked"))).status).toBe(200);
});

test.each([["closed"], ["cleaned"]])(
  "after a restart the key of a %s session is still ended, and a newer key is not",
  async (state) => {
    await using folder = await temporaryFolder();
    const key = scoped("s", { max_steps: 2 });
    const before = await startGateway(config, { folder: folder.path });
    expect((await ask("s", key, "policy", before)).status).toBe(200);
    await before.post("/v1/sessions/s/close?wait=5", {}, operator);
    if (state === "cleaned") await before.post("/v1/sessions/s/clean", {}, operator);
    await before.close();

    await using after = await startGateway(config, { folder: folder.path });
    await expectError(await ask("s", key, "policy", after), "session_closed");
    await after.post("/v1/sessions/s/clean", {}, operator);
    await expectError(await ask("s", key, "policy", after), "session_closed");
    // A key has whole seconds, and must be newer than the close.
    const closedBy = Date.now();
    await waitFor(() => 1_000 * Math.floor(Date.now() / 1_000) > closedBy, "the next second");
    const later = scoped("s", { max_steps: 2 });
    expect((await ask("s", later, "policy", after)).headers.get("x-gateway-step-id")).toBe("2");
    // The step before the restart counts.
    expect((await ask("s", later, "policy", after)).headers.get("x-gateway-stop")).toBe(
      "max_steps",
    );
  },
);
