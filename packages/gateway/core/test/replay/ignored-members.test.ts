import {
  chatCompletion,
  type FaultyUpstream,
  messageObject,
  type Reply,
  startFaultyUpstream,
  temporaryFolder,
  waitFor,
} from "@proj/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectError } from "../http/error-answer.ts";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { ask, countingUpstream, fork, replayedSteps, stepsOf } from "./record.ts";

let upstream: FaultyUpstream;
let gateway: TestGateway;

beforeAll(async () => {
  upstream = await startFaultyUpstream(countingUpstream());
  const endpoints = ["chat_completions", "messages"];
  gateway = await startGateway({ llm_routes: { policy: { base_url: upstream.url, endpoints } } });
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const user = (content: string) => [{ role: "user", content }];

test("ignored members may differ, be missing or be new, and nothing else may", async () => {
  const { text } = await ask(gateway, "codex", user("one"), { prompt_cache_key: "a", seed: 1 });
  const ignore = ["prompt_cache_key", "metadata.user_id"];
  expect(await fork(gateway, "ignores", { from: "codex", mode: "replay", ignore })).toMatchObject({
    status: 200,
    body: { ignore },
  });
  const refused = await ask(gateway, "ignores", user("one"), { prompt_cache_key: "b", seed: 2 });
  expect(refused).toMatchObject({ status: 409, text: "replay_diverged" });
  expect(refused.message).toContain("at seed: the record has 1, the request 2");
  expect(
    (await ask(gateway, "ignores", user("one"), { seed: 1, metadata: { user_id: "me" } })).message,
  ).toContain("at metadata: only the request has it");
  expect(await ask(gateway, "ignores", user("one"), { prompt_cache_key: "b", seed: 1 })).toEqual({
    status: 200,
    text,
    message: "",
  });
});

test("a replayed row says which members differed and were ignored", async () => {
  const metadata = { user_id: "first", tier: "free" };
  await ask(gateway, "noted", user("one"), { metadata });
  await ask(gateway, "noted", user("two"), { metadata });
  const ignore = ["prompt_cache_key", "metadata.user_id"];
  await fork(gateway, "notes", { from: "noted", ignore });
  await ask(gateway, "notes", user("one"), { metadata: { tier: "free", user_id: "second" } });
  await ask(gateway, "notes", user("two"), { metadata });
  const origins = (await stepsOf(gateway, "notes")).map(({ meta }) => meta.replayed_from);
  expect(origins).toEqual([
    { session_id: "noted", step_id: 1, request_id: expect.any(String), ignored: [ignore[1]] },
    { session_id: "noted", step_id: 2, request_id: expect.any(String) },
  ]);
});

test("messages redacted alike and paths in lists are compared without the ignored members", async () => {
  const said = (id: string, path: string) => [
    { role: "user", content: [{ type: "text", text: `Work in ${path}.` }], name: id },
    { role: "user", content: [{ type: "text", text: "Begin." }], name: id },
  ];
  await ask(gateway, "lists", said("a", "/tmp/1"));
  const ignore = ["messages[*].name", "messages[0].content[*].text"];
  await fork(gateway, "lists-again", { from: "lists", mode: "replay", ignore });
  const changed = said("b", "/tmp/2");
  changed[1]?.content.splice(0, 1, { type: "text", text: "Stop." });
  expect((await ask(gateway, "lists-again", changed)).message).toContain(
    "at messages[1].content[0].text",
  );
  expect((await ask(gateway, "lists-again", said("b", "/tmp/2"))).status).toBe(200);
});

test("of parallel steps that differ only in ignored members, the equal one is taken", async () => {
  const bothThere = Promise.withResolvers<void>();
  const answerWithBoth = async (content: string, reply: Reply): Promise<void> => {
    if (content === "second") {
      // Rows have whole milliseconds: in the same one, the first step would seem to have ended before.
      const arrived = Date.now();
      await waitFor(() => Date.now() > arrived, "the clock to move on");
      bothThere.resolve();
    }
    await bothThere.promise;
    void reply.json(chatCompletion({ content }));
  };
  upstream.script(
    (_request, reply) => answerWithBoth("first", reply),
    (_request, reply) => answerWithBoth("second", reply),
  );
  const heard = await Promise.all(
    ["a", "b"].map((key) => ask(gateway, "beside", user("same"), { prompt_cache_key: key })),
  );
  await fork(gateway, "beside-again", {
    from: "beside",
    mode: "replay",
    ignore: ["prompt_cache_key"],
  });
  const again = [];
  for (const key of ["b", "a"])
    again.push(await ask(gateway, "beside-again", user("same"), { prompt_cache_key: key }));
  expect(again).toEqual(heard.toReversed());
});

test("ignored members survive a restart and cannot be changed", async () => {
  await using folder = await temporaryFolder();
  const config = {
    llm_routes: { policy: { base_url: upstream.url } },
    storage_config: { db_url: `sqlite://${folder.path}/gateway.db` },
  };
  const gateway = await startGateway(config);
  await ask(gateway, "kept", user("one"), { prompt_cache_key: "a" });
  const body = { from: "kept", mode: "replay", ignore: ["prompt_cache_key"] };
  await fork(gateway, "keeps", body);
  expect(await fork(gateway, "keeps", body)).toMatchObject({ status: 200, body });
  expect(await fork(gateway, "keeps", { ...body, ignore: [] })).toMatchObject({
    status: 409,
    body: { error: { code: "session_not_new" } },
  });
  await gateway.close();
  await using again = await startGateway(config);
  expect((await ask(again, "keeps", user("one"), { prompt_cache_key: "b" })).status).toBe(200);
  expect(await replayedSteps(again, "keeps")).toEqual([[1, 1]]);
});

test("the session in Claude Code's metadata.user_id is ignored if configured", async () => {
  upstream.script((_request, reply) => void reply.json(messageObject()));
  const post = (session_id: string, user_id: string) =>
    gateway.post(`/v1/sessions/${session_id}/v1/messages?beta=true`, {
      model: "policy",
      max_tokens: 10,
      metadata: { user_id },
      messages: user("one"),
    });
  const first = await (await post("claude", JSON.stringify({ session_id: "1" }))).json();
  const ignore = ["metadata.user_id"];
  await fork(gateway, "claude-again", { from: "claude", mode: "replay", ignore });
  const again = await post("claude-again", JSON.stringify({ session_id: "2" }));
  expect(await again.json()).toEqual(first);
});

test("anything but a list of members is refused", async () => {
  const lists = [[1], [""], ["a..b"], ["a[x]"], ["a[-1]"], ["a]"], ["x".repeat(257)]];
  for (const ignore of [...lists, Array(65).fill("a"), "a", { 0: "a" }]) {
    const answer = await gateway.post("/v1/sessions/none/fork", { from: "any", ignore });
    await expectError(answer, "invalid_request", { param: "ignore" });
  }
});
