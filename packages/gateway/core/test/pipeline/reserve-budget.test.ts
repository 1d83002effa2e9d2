import { startFaultyUpstream, temporaryFolder } from "@proj/test-kit";
import { expect, test, vi } from "vitest";
import { sessionClient } from "../session/session-client.ts";
import { startGateway, type TestGateway } from "../start-gateway.ts";

const usage = { prompt_tokens: 10, completion_tokens: 90 };
const choice = { index: 0, finish_reason: "stop" };
const whole = { choices: [{ ...choice, message: { content: "x" } }], usage };
const events = [
  `data: ${JSON.stringify({ choices: [{ ...choice, delta: { content: "x" } }] })}\n\n`,
  `data: ${JSON.stringify({ choices: [], usage })}\n\n`,
  "data: [DONE]\n\n",
];
const ask = (
  gateway: TestGateway,
  body: object = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Response> =>
  fetch(`${gateway.sessionUrl("s")}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "demo", messages: [], max_tokens: 100, ...body }),
    signal,
  });
const stopOf = async (answer: Promise<Response>): Promise<string | null> => {
  const { headers } = await answer;
  return headers.get("x-gateway-stop");
};
const untilInFlight = (gateway: TestGateway, count: number): Promise<void> =>
  vi.waitFor(async () =>
    expect((await sessionClient(gateway, "s").status()).in_flight).toBe(count),
  );
const configFor = (url: string, more: object = {}, route: object = {}) => ({
  max_tokens: 500,
  reserve: 100,
  // On a busy machine some of 20 calls at once come after the first stops.
  max_ignored_stops: -1,
  llm_routes: { demo: { base_url: url, max_concurrency: 64, ...route } },
  ...more,
});

/**
 * Asks 20 times at once a model that uses 100 tokens a call.
 * @param together it answers only once this many have come
 */
async function ask20(config: object, route: object, streamed: boolean, together: number) {
  let [arrived, now, most] = [0, 0, 0];
  const enough = Promise.withResolvers<void>();
  await using upstream = await startFaultyUpstream(async (_request, reply) => {
    arrived += 1;
    now += 1;
    most = Math.max(most, now);
    if (arrived === together) enough.resolve();
    await enough.promise;
    now -= 1;
    await (streamed ? reply.events(events) : reply.json(whole));
  });
  await using gateway = await startGateway(configFor(upstream.url, config, route));
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => ask(gateway, { stream: streamed })),
  );
  await Promise.all(answers.map((answer) => answer.text()));
  const stops = answers.filter(({ headers }) => headers.has("x-gateway-stop")).length;
  const { tokens, cost_nano_usd } = await sessionClient(gateway, "s").status();
  return { answered: arrived, most, stops, tokens, cost_nano_usd };
}

test.each([false, true])(
  "calls at once spend the tokens of the budget, and no more (streamed: %s)",
  async (streamed) => {
    const free = await ask20({ reserve: null }, {}, streamed, 20);
    expect(free).toMatchObject({ answered: 20, stops: 0, tokens: 2_000 });
    // Each holds 100 tokens and its prompt: four fit.
    const held = await ask20({}, {}, streamed, 4);
    expect(held).toMatchObject({ answered: 5, most: 4, stops: 15, tokens: 500 });
  },
);

test.each([false, true])(
  "calls at once spend the money of the budget, and no more (streamed: %s)",
  async (streamed) => {
    const prices = { prices: [{ input: 0, output: 10 }] };
    const money = { max_tokens: -1, max_cost_usd: 0.004_5 };
    const free = await ask20({ ...money, reserve: null }, prices, streamed, 20);
    expect(free).toMatchObject({ answered: 20, cost_nano_usd: 18_000_000 });
    // Each holds the price of 100 tokens, 0.001 $, and uses 0.0009 $.
    const held = await ask20(money, prices, streamed, 4);
    expect(held).toMatchObject({ answered: 5, most: 4, stops: 15, cost_nano_usd: 4_500_000 });
  },
);

test("calls that failed, were refused or left give back what they held", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway(configFor(upstream.url, { max_tokens: 200 }));
  // Each alone holds more than half of the budget.
  for (const fail of ["error", "not HTTP", "refused"] as const) {
    const first = ask(gateway, fail === "refused" ? { stream: "no" } : {}).catch(() => null);
    if (fail === "refused") expect((await first)?.status).toBe(400);
    else {
      const { reply } = await upstream.nextRequest();
      const second = ask(gateway, { second: fail });
      await untilInFlight(gateway, 2);
      if (fail === "error") await reply.json({ error: { message: "no" } }, { status: 500 });
      else await reply.raw("nonsense\r\n\r\n");
      const next = await upstream.nextRequest();
      expect(String(next.body)).toContain(`"second":"${fail}"`);
      await next.reply.json({ error: { message: "no" } }, { status: 500 });
      await second;
    }
  }
  const { tokens, in_flight } = await sessionClient(gateway, "s").status();
  expect([tokens, in_flight]).toEqual([0, 0]);
  const answer = ask(gateway);
  await (await upstream.nextRequest()).reply.json(whole);
  expect(await stopOf(answer)).toBeNull();
});

test("a call that waits leaves with its caller, and one that waits too long may come again", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway(
    configFor(upstream.url, { max_tokens: 200 }, { queue_timeout_s: 0.2 }),
  );
  const first = ask(gateway);
  const { reply } = await upstream.nextRequest();
  const leaving = new AbortController();
  const second = ask(gateway, {}, leaving.signal).catch(() => null);
  await untilInFlight(gateway, 2);
  leaving.abort();
  await second;
  await untilInFlight(gateway, 1);
  const third = await ask(gateway);
  expect([third.status, third.headers.get("x-should-retry")]).toEqual([429, "true"]);
  expect(await third.json()).toMatchObject({ error: { code: "rate_limited" } });
  await reply.json(whole);
  expect(await stopOf(first)).toBeNull();
  expect(gateway.steps("s")).toHaveLength(1);
});

test("a call without a bound of its own holds what the setting says; several answers hold more", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway(
    configFor(upstream.url, { max_tokens: 1_000, reserve: 400 }),
  );
  const calls = [ask(gateway, { max_tokens: undefined }), ask(gateway, { max_tokens: 50, n: 8 })];
  const [one, other] = [await upstream.nextRequest(), await upstream.nextRequest()];
  const third = ask(gateway, { max_completion_tokens: 200, max_tokens: 1 });
  await untilInFlight(gateway, 3);
  expect(upstream.requests).toHaveLength(2);
  await one.reply.json(whole);
  await (await upstream.nextRequest()).reply.json(whole);
  await other.reply.json(whole);
  expect(await Promise.all([...calls, third].map(stopOf))).toEqual([null, null, null]);
});

test("Gemini's bounds count, in their own place", async () => {
  await using upstream = await startFaultyUpstream();
  const endpoints = ["generate_content"];
  await using gateway = await startGateway(
    configFor(upstream.url, { max_tokens: 1_000, reserve: 900 }, { endpoints }),
  );
  const generate = (generationConfig: object): Promise<Response> =>
    gateway.post("/v1/sessions/s/models/demo:generateContent", { contents: [], generationConfig });
  const answer = {
    candidates: [{ content: { parts: [{ text: "x" }] }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1 },
  };
  const calls = [generate({ maxOutputTokens: 300 }), generate({ maxOutputTokens: 300 })];
  const replies = [await upstream.nextRequest(), await upstream.nextRequest()];
  const third = generate({ maxOutputTokens: 200, candidateCount: 2 });
  await untilInFlight(gateway, 3);
  expect(upstream.requests).toHaveLength(2);
  for (const { reply } of replies) await reply.json(answer);
  await (await upstream.nextRequest()).reply.json(answer);
  expect(await Promise.all([...calls, third].map(stopOf))).toEqual([null, null, null]);
});

test("what a call held counts as used if its usage never came, also after a restart", async () => {
  await using upstream = await startFaultyUpstream();
  await using folder = await temporaryFolder();
  const config = configFor(upstream.url, { max_tokens: 200 });
  {
    await using gateway = await startGateway(config, { folder: folder.path });
    for (const stream of [true, false]) {
      const leaving = new AbortController();
      const answer = ask(gateway, { stream }, leaving.signal).catch(() => null);
      const { reply } = await upstream.nextRequest();
      if (stream) {
        await reply.startEvents();
        await reply.write(`data: {"choices":[{"index":0,"delta":{"content":"x"}}]}\n\n`);
        await answer;
      }
      leaving.abort();
      await answer;
      await untilInFlight(gateway, 0);
    }
    const { models, tokens } = await sessionClient(gateway, "s").status();
    expect([tokens, models.demo]).toMatchObject([0, { unpriced_steps: 2 }]);
    expect(await stopOf(ask(gateway))).toBe("max_tokens");
  }
  await using again = await startGateway(config, { folder: folder.path });
  expect(await stopOf(ask(again))).toBe("max_tokens");
});
