import Anthropic from "@anthropic-ai/sdk";
import { chatCompletion, startDemoUpstream, startFaultyUpstream } from "@proj/test-kit";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { inFlight, sessionClient } from "../session/session-client.ts";
import { startGateway } from "../start-gateway.ts";

const stopOf = async (answer: Promise<Response>): Promise<string> => {
  const { status, headers } = await answer;
  return `${status} ${headers.get("x-gateway-stop") ?? headers.get("x-should-retry")}`;
};

test("a caller that ignores stops is refused, whatever it asks and streams", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url }, other: { base_url: upstream.url } },
    max_steps: 1,
  });
  const session = sessionClient(gateway, "s");
  await (await session.chat()).text();
  expect((await session.status()).models.demo?.stopped).toBe(false);
  expect(await stopOf(session.chat())).toBe("200 max_steps");
  expect((await session.status()).models.demo?.stopped).toBe(true);
  expect(await stopOf(session.chat({ stream: true }))).toBe("200 max_steps");
  for (const stream of [false, true]) {
    const refused = await session.chat({ stream });
    expect([refused.status, refused.headers.get("x-should-retry")]).toEqual([400, "false"]);
    expect(await refused.json()).toMatchObject({
      error: {
        code: "budget_spent",
        message: expect.stringContaining("[gateway] step budget reached"),
      },
    });
  }
  expect(upstream.requests).toHaveLength(1);
  expect(gateway.steps("s")).toHaveLength(1);
  // Another model of the session, and another session, have their own.
  expect(await stopOf(session.chat({ model: "other" }))).toBe("200 null");
  expect(await stopOf(sessionClient(gateway, "t").chat())).toBe("200 null");
});

test("requests that came before the stop do not ignore it", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url, max_concurrency: 1 } },
    max_steps: 1,
  });
  const holder = sessionClient(gateway, "holder");
  const holding = holder.chat();
  const held = await upstream.nextRequest();
  const session = sessionClient(gateway, "s");
  const parallel = Array.from({ length: 8 }, () => stopOf(session.chat()));
  await inFlight(session, 8);
  await held.reply.json(chatCompletion());
  await (await holding).text();
  await (await upstream.nextRequest()).reply.json(chatCompletion());
  expect((await Promise.all(parallel)).toSorted()).toEqual([
    ...Array.from({ length: 7 }, () => "200 max_steps"),
    "200 null",
  ]);
});

test("a restarted gateway gives one more stop, and all of them for a budget that ends there", async () => {
  await using upstream = await startDemoUpstream();
  const config = { llm_routes: { demo: { base_url: upstream.url } }, max_steps: 2 };
  await using first = await startGateway(config);
  for (const [session_id, calls] of [
    ["spent", 4],
    ["unspent", 1],
  ] as const)
    for (let call = 0; call < calls; call += 1)
      await (await sessionClient(first, session_id).chat()).text();
  await first.gateway.close();
  await using second = await startGateway(config, { folder: first.folder });
  const told = async (session_id: string, calls: number): Promise<string[]> => {
    const answers: string[] = [];
    for (let call = 0; call < calls; call += 1)
      answers.push(await stopOf(sessionClient(second, session_id).chat()));
    return answers;
  };
  expect(await told("spent", 3)).toEqual(["200 max_steps", "400 false", "400 false"]);
  const unspent = ["200 null", "200 max_steps", "200 max_steps", "400 false"];
  expect(await told("unspent", 4)).toEqual(unspent);
});

test("how many may be ignored is a setting", async () => {
  await using upstream = await startDemoUpstream();
  const llm_routes = { demo: { base_url: upstream.url } };
  const stopsOf = async (max_ignored_stops: number): Promise<number> => {
    await using gateway = await startGateway({ llm_routes, max_steps: 0, max_ignored_stops });
    const session = sessionClient(gateway, "s");
    for (let stops = 0; stops < 8; stops += 1) {
      if ((await session.chat()).status !== 200) return stops;
    }
    return Number.POSITIVE_INFINITY;
  };
  expect(await stopsOf(0)).toBe(0);
  expect(await stopsOf(1)).toBe(1);
  expect(await stopsOf(-1)).toBe(Number.POSITIVE_INFINITY);
});

test("no official client repeats the refusal", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({
    llm_routes: {
      demo: { base_url: upstream.url, endpoints: ["chat_completions", "responses", "messages"] },
    },
    max_steps: 0,
    max_ignored_stops: 0,
  });
  let requests = 0;
  const counting: typeof fetch = (url, init) => {
    requests += 1;
    return fetch(url, init);
  };
  const baseURL = `${gateway.url}/v1/sessions/s`;
  const openai = new OpenAI({ baseURL, apiKey: "none", fetch: counting });
  const anthropic = new Anthropic({ baseURL, apiKey: "none", fetch: counting });
  const messages = [{ role: "user" as const, content: "Hello" }];
  const calls = [
    () => openai.chat.completions.create({ model: "demo", messages }),
    () => openai.responses.create({ model: "demo", input: "Hello", stream: true }),
    () => anthropic.messages.create({ model: "demo", messages, max_tokens: 9 }),
  ];
  for (const call of calls)
    await expect(call()).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("step budget reached"),
    });
  expect(requests).toBe(calls.length);
});
