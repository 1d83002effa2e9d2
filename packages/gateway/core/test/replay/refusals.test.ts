import { sessionKey } from "@proj/gateway-protocol";
import {
  chatCompletion,
  type FaultyUpstream,
  jsonBytes,
  sendWrongLength,
  startFaultyUpstream,
} from "@proj/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectError } from "../http/error-answer.ts";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { ask, ChatAgent, countingUpstream, fork, replayedSteps } from "./record.ts";

const session_secret = "the secret of all sessions";

let upstream: FaultyUpstream;
let gateway: TestGateway;

beforeAll(async () => {
  upstream = await startFaultyUpstream(countingUpstream());
  const route = { base_url: upstream.url };
  gateway = await startGateway({ llm_routes: { policy: route, other: route } });
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const post = (session_id: string, body: unknown): Promise<Response> =>
  gateway.post(`/v1/sessions/${session_id}/fork`, body);
const user = (content: string) => ({ role: "user", content });

test("an impossible fork is refused with a reason", async () => {
  await new ChatAgent(gateway, "there").sayAll("one", "two");
  await ask(gateway, "there", [user("other")], { model: "other" });
  expect(
    await expectError(await post("new", { from: "nowhere" }), "session_not_found", {
      param: "from",
    }),
  ).toBe("Nothing is stored for session 'nowhere'.");
  expect(
    await expectError(await post("new", { from: "there", step: 3 }), "step_not_found", {
      param: "step",
    }),
  ).toBe("Session 'there' has no step 3.");
  expect(
    await expectError(await post("new", { from: "there", step: 1 }), "invalid_request", {
      param: "model",
    }),
  ).toBe("Several models have a step 1 in session 'there': name one in 'model': policy, other.");
  for (const [body, param] of [
    [{}, "from"],
    [{ from: "a b" }, "from"],
    [{ from: "new" }, "from"],
    [{ from: "there", step: 0 }, "step"],
    [{ from: "there", step: "2" }, "step"],
    [{ from: "there", model: 1 }, "model"],
    [{ from: "there", mode: "again" }, "mode"],
  ] as const)
    await expectError(await post("new", body), "invalid_request", { param });
});

test("a session that has started is not forked into, and a fork cannot be changed", async () => {
  await new ChatAgent(gateway, "origin").sayAll("one", "two");
  await new ChatAgent(gateway, "begun").sayAll("one");
  expect(await expectError(await post("begun", { from: "origin" }), "session_not_new")).toBe(
    "Session 'begun' already has requests of its own. Fork into a new session.",
  );
  const body = { from: "origin", step: 1 };
  expect((await post("twice", body)).status).toBe(200);
  expect((await post("twice", body)).status).toBe(200);
  expect(
    await expectError(await post("twice", { from: "origin", step: 2 }), "session_not_new"),
  ).toBe(
    "Session 'twice' is already a fork of session 'origin' at step 1. Fork into a new session.",
  );
  await gateway.post("/v1/sessions/over/close?wait=30", {});
  await expectError(await post("over", body), "session_closed", {});
});

test("a record without answers is not replayed", async () => {
  const route = { base_url: upstream.url };
  await using bare = await startGateway({
    llm_routes: { policy: route },
    telemetry: { capture_payload: "none" },
  });
  await new ChatAgent(bare, "bare").sayAll("one");
  const { status, body } = await fork(bare, "branch", { from: "bare" });
  expect([status, body.error?.code]).toEqual([409, "not_replayable"]);
  expect(body.error?.message).toContain("Step 1 of 'policy' in session 'bare'");
});

test("a session key cannot fork, nor read another session's record", async () => {
  const operator = { authorization: "Bearer operator" };
  await using closed = await startGateway({
    llm_routes: { policy: { base_url: upstream.url } },
    auth: { api_keys: ["operator"], session_secret },
  });
  const chat = (session_id: string, headers: Record<string, string>) =>
    closed.post(
      `/v1/sessions/${session_id}/chat/completions`,
      { model: "policy", messages: [user("one")] },
      headers,
    );
  const recorded = await (await chat("theirs", operator)).text();
  const key = { authorization: `Bearer ${sessionKey(session_secret, "mine")}` };
  for (const headers of [key, {}])
    expect((await fork(closed, "mine", { from: "theirs" }, headers)).status).toBe(401);
  expect(await (await chat("mine", key)).text()).not.toBe(recorded);
});

test("a failed step that was retried is skipped, and one that was not fails again", async () => {
  const fail = (_request: unknown, reply: { json(body: object, options: object): unknown }) =>
    void reply.json({ error: { message: "too long", code: "context" } }, { status: 400 });
  const succeed = (_request: unknown, reply: { json(body: object): unknown }) =>
    void reply.json(chatCompletion({ content: "shorter" }));
  upstream.script(fail, succeed, fail, succeed);
  for (const content of ["one", "one", "long", "short"])
    await ask(gateway, "fails", [user(content)]);
  await fork(gateway, "fails-again", { from: "fails", mode: "replay" });
  const heard = [];
  for (const content of ["one", "long", "short"])
    heard.push((await ask(gateway, "fails-again", [user(content)])).status);
  expect(heard).toEqual([200, 400, 200]);
  expect(await replayedSteps(gateway, "fails-again")).toEqual([
    [1, 2],
    [2, 3],
    [3, 4],
  ]);
});

test("an answer that never arrived whole is not replayed, and the refusal says so", async () => {
  upstream.script(
    sendWrongLength(jsonBytes(chatCompletion()), 100),
    (_request, reply) => void reply.json(chatCompletion()),
  );
  await ask(gateway, "broken", [user("lost")]);
  await ask(gateway, "broken", [user("whole")]);
  await fork(gateway, "broken-again", { from: "broken", mode: "replay" });
  const { message } = await ask(gateway, "broken-again", [user("lost")]);
  expect(message).toContain(
    "The request equals step 1 of session 'broken', which is not replayed: its answer never arrived whole",
  );
  expect((await ask(gateway, "broken-again", [user("whole")])).status).toBe(200);
});

test("a paused route does not hold a replay up", async () => {
  const [heard] = await new ChatAgent(gateway, "unpaused").sayAll("one");
  await fork(gateway, "while-paused", { from: "unpaused", mode: "replay" });
  await gateway.post("/v1/routes/policy/pause", { mode: "refuse" });
  try {
    expect(await new ChatAgent(gateway, "while-paused").sayAll("one")).toEqual([heard]);
  } finally {
    await gateway.post("/v1/routes/policy/resume", {});
  }
});

test("a repeated request gets its answer again, and takes no other step", async () => {
  const [one, two] = await new ChatAgent(gateway, "repeats").sayAll("one", "two");
  await fork(gateway, "repeated", { from: "repeats", mode: "replay" });
  const path = "/v1/sessions/repeated/chat/completions";
  const body = { model: "policy", messages: [user("one")] };
  const first = await gateway.post(path, body);
  const again = await gateway.post(path, body, { "x-stainless-retry-count": "1" });
  expect(await again.text()).toBe(await first.text());
  const messages = [user("one"), { role: "assistant", content: one }, user("two")];
  expect((await ask(gateway, "repeated", messages)).text).toBe(two);
  expect(await replayedSteps(gateway, "repeated")).toEqual([
    [1, 1],
    [2, 1],
    [3, 2],
  ]);
});
