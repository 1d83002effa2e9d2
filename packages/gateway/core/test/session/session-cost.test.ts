import { startDemoUpstream, startFaultyUpstream, temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";
import { sessionClient } from "./session-client.ts";

const prices = [{ input: 2, cached_input: 0.5, cache_write: 2.5, output: 10, reasoning: 20 }];

/** How each API reports the same usage, whole and, if it streams, in its events. */
const openaiUsage = {
  prompt_tokens: 100,
  prompt_tokens_details: { cached_tokens: 40 },
  completion_tokens: 20,
  completion_tokens_details: { reasoning_tokens: 5 },
};
const responseUsage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 40, cache_write_tokens: 10 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 5 },
};
const messageUsage = {
  input_tokens: 50,
  cache_read_input_tokens: 40,
  cache_creation_input_tokens: 10,
  output_tokens: 20,
};
const choice = { index: 0, finish_reason: "stop" };
const response = { id: "r", object: "response", status: "completed", output: [{}] };
const chunk = { object: "chat.completion.chunk" };

const sse = (events: readonly object[], last = ""): string =>
  `${events
    .map((event) => {
      const name = "type" in event ? `event: ${String(event.type)}\n` : "";
      return `${name}data: ${JSON.stringify(event)}\n\n`;
    })
    .join("")}${last}`;

const cases: readonly (readonly [
  what: string,
  path: string,
  request: object,
  answer: object | string,
  cost_nano_usd: number,
])[] = [
  [
    "chat completions",
    "chat/completions",
    { messages: [] },
    { choices: [choice], usage: openaiUsage },
    60 * 2_000 + 40 * 500 + 15 * 10_000 + 5 * 20_000,
  ],
  [
    "streamed chat completions",
    "chat/completions",
    { messages: [], stream: true },
    sse(
      [
        { ...chunk, choices: [choice] },
        { ...chunk, choices: [], usage: openaiUsage },
      ],
      "data: [DONE]\n\n",
    ),
    60 * 2_000 + 40 * 500 + 15 * 10_000 + 5 * 20_000,
  ],
  [
    "responses",
    "responses",
    { input: "x" },
    { ...response, usage: responseUsage },
    50 * 2_000 + 40 * 500 + 10 * 2_500 + 15 * 10_000 + 5 * 20_000,
  ],
  [
    "streamed responses",
    "responses",
    { input: "x", stream: true },
    sse([{ type: "response.completed", response: { ...response, usage: responseUsage } }]),
    50 * 2_000 + 40 * 500 + 10 * 2_500 + 15 * 10_000 + 5 * 20_000,
  ],
  [
    "messages",
    "messages",
    { messages: [], max_tokens: 9 },
    { type: "message", content: [], stop_reason: "end_turn", usage: messageUsage },
    50 * 2_000 + 40 * 500 + 10 * 2_500 + 20 * 10_000,
  ],
  [
    "streamed messages",
    "messages",
    { messages: [], max_tokens: 9, stream: true },
    sse([
      { type: "message_start", message: { usage: { ...messageUsage, output_tokens: 1 } } },
      {
        type: "message_delta",
        delta: { stop_reason: "end_turn" },
        usage: { output_tokens: 20 },
      },
      { type: "message_stop" },
    ]),
    50 * 2_000 + 40 * 500 + 10 * 2_500 + 20 * 10_000,
  ],
  [
    "completions",
    "completions",
    { prompt: "x" },
    { choices: [choice], usage: { prompt_tokens: 7, completion_tokens: 3 } },
    7 * 2_000 + 3 * 10_000,
  ],
  [
    "embeddings",
    "embeddings",
    { input: "x" },
    { data: [], usage: { prompt_tokens: 7, total_tokens: 7 } },
    7 * 2_000,
  ],
];

test("every API's usage becomes its row's cost, and the rows add up to the session's cost", async () => {
  await using upstream = await startFaultyUpstream();
  await using folder = await temporaryFolder();
  const endpoints = ["chat_completions", "responses", "messages", "completions", "embeddings"];
  const config = {
    llm_routes: { demo: { base_url: upstream.url, endpoints, prices } },
  };
  const costs: number[] = [];
  let sum = 0;
  {
    await using gateway = await startGateway(config, { folder: folder.path });
    for (const [what, path, request, answer, cost] of cases) {
      const sent = gateway.post(`/v1/sessions/s/${path}`, { model: "demo", what, ...request });
      const { reply } = await upstream.nextRequest();
      if (typeof answer === "string") await reply.events([answer]);
      else await reply.json(answer);
      expect([what, (await sent).status]).toEqual([what, 200]);
      await (await sent).text();
      costs.push(cost);
    }
    const rows = gateway.steps("s");
    expect(rows.map(({ meta }) => meta.cost_nano_usd)).toEqual(costs);
    expect(rows[0]?.meta).toMatchObject({ cached_tokens: 40, reasoning_tokens: 5 });
    sum = costs.reduce((one, other) => one + other);
    expect(await sessionClient(gateway, "s").status()).toMatchObject({
      models: { demo: { cost_nano_usd: sum } },
      cost_nano_usd: sum,
      tokens: 6 * 120 + 10 + 7,
    });
    const text = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(text).toMatch(new RegExp(`^gateway_cost_usd_total\\{model="demo"\\} ${sum / 1e9}`, "m"));
  }
  // A session's cost survives the gateway.
  await using again = await startGateway(config, { folder: folder.path });
  const session = sessionClient(again, "s");
  await session.closeAndWait();
  expect(await session.status()).toMatchObject({ cost_nano_usd: sum });
});

test("a session that has used up its tokens is stopped with every model", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url }, other: { base_url: upstream.url } },
    max_tokens: 1,
  });
  const session = sessionClient(gateway, "s");
  expect((await session.chat()).headers.get("x-gateway-stop")).toBeNull();
  for (const model of ["demo", "other"]) {
    const stop = await session.chat({ model });
    expect([stop.status, stop.headers.get("x-gateway-stop")]).toEqual([200, "max_tokens"]);
    expect(await stop.json()).toMatchObject({
      choices: [{ message: { content: "[gateway] token budget reached" } }],
    });
  }
  expect(upstream.requests).toHaveLength(1);
  expect((await session.status()).models.demo).toMatchObject({ steps: 1, stopped: true });
  expect((await sessionClient(gateway, "t").chat()).headers.get("x-gateway-stop")).toBeNull();
});

test("a session that has used up its money is stopped, even by a gateway that starts later", async () => {
  await using upstream = await startFaultyUpstream();
  await using folder = await temporaryFolder();
  const config = {
    llm_routes: { demo: { base_url: upstream.url, prices } },
    max_cost_usd: 0.000_3,
  };
  // 20 + 100 micro-dollars a step: the third one exceeds the budget.
  const usage = { prompt_tokens: 10, completion_tokens: 10 };
  {
    await using gateway = await startGateway(config, { folder: folder.path });
    const session = sessionClient(gateway, "s");
    for (let step = 1; step <= 3; step += 1) {
      const answer = session.chat();
      await (await upstream.nextRequest()).reply.json({ choices: [choice], usage });
      expect((await answer).headers.get("x-gateway-stop")).toBeNull();
      await (await answer).text();
    }
    expect((await session.chat()).headers.get("x-gateway-stop")).toBe("max_cost_usd");
    expect(await session.status()).toMatchObject({ cost_nano_usd: 360_000, max_cost_usd: 0.000_3 });
  }
  await using again = await startGateway(config, { folder: folder.path });
  const stop = await sessionClient(again, "s").chat();
  expect(stop.headers.get("x-gateway-stop")).toBe("max_cost_usd");
  expect(await stop.json()).toMatchObject({
    choices: [{ message: { content: "[gateway] cost budget reached" } }],
  });
});
