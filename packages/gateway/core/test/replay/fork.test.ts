import { type FaultyUpstream, startFaultyUpstream, temporaryFolder } from "@proj/test-kit";
import { type TemporaryPostgres, temporaryPostgres } from "@proj/test-kit/postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { ask, ChatAgent, countingUpstream, fork, replayedSteps, stepsOf } from "./record.ts";

describe.each(["sqlite", "cloud"] as const)("with storage_type %s", (storage_type) => {
  let database: TemporaryPostgres | null = null;
  let upstream: FaultyUpstream;
  let gateway: TestGateway;
  const config = (): Record<string, unknown> => ({
    llm_routes: { policy: { base_url: upstream.url }, helper: { base_url: upstream.url } },
    max_steps: 5,
    ...(database === null ? {} : { storage_type, storage_config: { db_url: database.url } }),
  });

  beforeAll(async () => {
    database = storage_type === "cloud" ? await temporaryPostgres() : null;
    upstream = await startFaultyUpstream(countingUpstream());
    gateway = await startGateway(config());
  });

  afterAll(async () => {
    await gateway.close();
    await upstream.close();
    await database?.[Symbol.asyncDispose]();
  });

  test("a fork gets the record up to step N, then the model", async () => {
    const source = new ChatAgent(gateway, "source");
    const [one, two, three] = await source.sayAll("one", "two", "three");
    const asked = upstream.requests.length;
    expect(await fork(gateway, "branch", { from: "source", step: 2 })).toEqual({
      status: 200,
      body: {
        session_id: "branch",
        from: "source",
        model: "policy",
        step: 2,
        mode: "fork",
        ignore: [],
        recorded_steps: 2,
      },
    });
    const branch = new ChatAgent(gateway, "branch");
    expect(await branch.sayAll("one", "two")).toEqual([one, two]);
    expect(upstream.requests).toHaveLength(asked);
    expect(await branch.sayAll("three")).not.toEqual([three]);
    expect(upstream.requests).toHaveLength(asked + 1);
    expect(await replayedSteps(gateway, "branch")).toEqual([
      [1, 1],
      [2, 2],
      [3, null],
    ]);
  });

  test("a replayed row is an ordinary step for which no model was asked", async () => {
    await new ChatAgent(gateway, "rows").sayAll("one");
    await fork(gateway, "rows-branch", { from: "rows" });
    await new ChatAgent(gateway, "rows-branch").sayAll("one");
    const [[recorded], [replayed]] = await Promise.all([
      stepsOf(gateway, "rows"),
      stepsOf(gateway, "rows-branch"),
    ]);
    expect(replayed).toMatchObject({
      status_code: 200,
      request: recorded?.request,
      messages: recorded?.messages,
    });
    expect(JSON.parse(replayed?.response ?? "")).toEqual(JSON.parse(recorded?.response ?? ""));
    const { request_id } = recorded ?? {};
    expect(replayed?.meta).toMatchObject({
      replayed_from: { session_id: "rows", step_id: 1, request_id },
      outcome: "completed",
      finish_reason: "stop",
      prompt_tokens: null,
      completion_tokens: null,
      upstream_ms: null,
      attempts: 0,
    });
    const status = await (await fetch(gateway.sessionUrl("rows-branch"))).json();
    expect(status).toMatchObject({
      models: {
        policy: { steps: 1, latest_success_step: 1, prompt_tokens: 0, completion_tokens: 0 },
      },
      fork: {
        ...{ from: "rows", model: null, step: null, mode: "fork", ignore: [] },
        replayed_steps: 1,
      },
    });
  });

  test("replayed steps count against the budget: a fork has as many turns left as its source had", async () => {
    await new ChatAgent(gateway, "budget").sayAll("1", "2", "3", "4");
    await fork(gateway, "budget-branch", { from: "budget", step: 4 });
    const heard = await new ChatAgent(gateway, "budget-branch").sayAll(
      "1",
      "2",
      "3",
      "4",
      "5",
      "6",
    );
    expect(heard.at(-2)).toMatch(/^answer/);
    expect(heard.at(-1)).toBe("[gateway] step budget reached");
  });

  test("the first request that differs ends the replay, even for later requests that match", async () => {
    const heard = await new ChatAgent(gateway, "strays").sayAll("one", "two", "three");
    await fork(gateway, "strayed", { from: "strays" });
    const agent = new ChatAgent(gateway, "strayed");
    expect(await agent.sayAll("one")).toEqual([heard[0]]);
    expect(await agent.sayAll("another")).not.toContain(heard[1]);
    agent.messages.splice(2);
    expect(await agent.sayAll("two")).not.toContain(heard[1]);
    expect(await replayedSteps(gateway, "strayed")).toEqual([
      [1, 1],
      [2, null],
      [3, null],
    ]);
  });

  test("key order and white space do not matter; everything else does", async () => {
    const messages = [{ role: "user", content: "one", name: "a" }];
    const { text } = await ask(gateway, "spelled", messages, { temperature: 0.5 });
    await fork(gateway, "spelled-again", { from: "spelled", mode: "replay" });
    const path = "/v1/sessions/spelled-again/chat/completions";
    const differs = await gateway.post(
      path,
      '{"messages":[{"role":"user","content":"one","name":"a"}],"temperature":0.6,"model":"policy"}',
    );
    expect(differs.status).toBe(409);
    expect(await differs.json()).toMatchObject({
      error: {
        code: "replay_diverged",
        message:
          "The request differs from step 1 at temperature: the record has 0.5, the request 0.6. A replay never asks a model.",
      },
    });
    const again = await gateway.post(
      path,
      '{ "temperature": 5e-1, "messages": [ {"name":"a", "content":"one", "role":"user"} ],\n "model": "policy" }',
    );
    expect(again.status).toBe(200);
    expect(await again.text()).toContain(text);
  });

  test("a replay never asks the model, says what differs, and continues with requests that match", async () => {
    const heard = await new ChatAgent(gateway, "seen").sayAll("one", "two");
    await fork(gateway, "again", { from: "seen", mode: "replay" });
    const asked = upstream.requests.length;
    const agent = new ChatAgent(gateway, "again");
    expect(await agent.sayAll("one")).toEqual([heard[0]]);
    const refused = await agent.say("tow");
    expect(refused).toMatchObject({ status: 409, text: "replay_diverged" });
    expect(refused.message).toContain(
      'differs from step 2 at messages[2].content: the record has "two", the request "tow"',
    );
    agent.messages.pop();
    expect(await agent.sayAll("two")).toEqual([heard[1]]);
    expect((await agent.say("three")).message).toContain(
      "is not in the record: session 'seen' has no step of 'policy' after 2 to replay",
    );
    const stray = await ask(gateway, "again", [{ role: "user", content: "x" }], {
      model: "helper",
    });
    expect(stray.message).toContain("has no steps of the model 'helper'");
    expect(upstream.requests).toHaveLength(asked);
    expect(await replayedSteps(gateway, "again")).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  test("requests that ran in parallel may come in any order, and equal ones get one answer each", async () => {
    const one = [{ role: "user", content: "one" }];
    const sent = ["a", "b", "c"].map((content) => [...one, { role: "user", content }]);
    const open: (() => void)[] = [];
    upstream.script(
      ...sent.map(
        () => (_request: unknown, reply: { json(body: object): unknown }) =>
          void open.push(
            () =>
              void reply.json({
                choices: [
                  { index: 0, message: { content: `side ${open.length}` }, finish_reason: "stop" },
                ],
              }),
          ),
      ),
    );
    const recorded = Promise.all(sent.map((messages) => ask(gateway, "wide", messages)));
    await expect.poll(() => open.length).toBe(3);
    for (const answer of open) answer();
    const texts = (await recorded).map(({ text }) => text);
    await fork(gateway, "wide-again", { from: "wide", mode: "replay" });
    const again = [];
    for (const messages of sent.toReversed())
      again.push(await ask(gateway, "wide-again", messages));
    expect(again.map(({ text }) => text)).toEqual(texts.toReversed());
  });

  test("a restarted gateway continues the replay where it was", async () => {
    await using folder = await temporaryFolder();
    const heard: string[] = [];
    {
      await using first = await startGateway(config(), { folder: folder.path });
      heard.push(...(await new ChatAgent(first, "long").sayAll("one", "two", "three")));
      await fork(first, "long-branch", { from: "long", step: 2 });
      await new ChatAgent(first, "long-branch").sayAll("one");
      await fork(first, "long-strayed", { from: "long" });
      await new ChatAgent(first, "long-strayed").sayAll("one", "else");
    }
    await using second = await startGateway(config(), { folder: folder.path });
    const messages = [
      { role: "user", content: "one" },
      { role: "assistant", content: heard[0] },
      { role: "user", content: "two" },
    ];
    expect((await ask(second, "long-branch", messages)).text).toBe(heard[1]);
    expect(await (await fetch(second.sessionUrl("long-branch"))).json()).toMatchObject({
      fork: { from: "long", model: "policy", step: 2, replayed_steps: 2 },
    });
    expect((await ask(second, "long-strayed", messages)).text).not.toBe(heard[1]);
  });

  test("a fork of a fork", async () => {
    const heard = await new ChatAgent(gateway, "first").sayAll("one", "two");
    await fork(gateway, "second", { from: "first", step: 1 });
    const second = await new ChatAgent(gateway, "second").sayAll("one", "two");
    await fork(gateway, "third", { from: "second", mode: "replay" });
    expect(await new ChatAgent(gateway, "third").sayAll("one", "two")).toEqual(second);
    expect(second[0]).toBe(heard[0]);
  });
});
