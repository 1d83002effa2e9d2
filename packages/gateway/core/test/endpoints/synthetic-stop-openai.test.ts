import { expect, test } from "vitest";
import { startStopServer, stopText } from "./synthetic-stop-server.ts";

const messages = [{ role: "user" as const, content: "go on" }];
const tools = [
  {
    type: "function" as const,
    function: { name: "act", strict: true, parameters: { type: "object", properties: {} } },
  },
];
const noUsage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
const chatChoice = {
  index: 0,
  finish_reason: "stop",
  message: { role: "assistant", content: stopText },
};

test("chat.completions.create", async () => {
  await using server = await startStopServer();
  const { data, response } = await server.client.chat.completions
    .create({ model: "route-a", messages })
    .withResponse();
  expect(response.headers.get("x-gateway-stop")).toBe("max_steps");
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(data).toMatchObject({
    id: expect.stringMatching(/^chatcmpl-/),
    object: "chat.completion",
    model: "route-a",
    choices: [chatChoice],
    usage: noUsage,
  });
  expect(data.choices[0]).toHaveProperty("logprobs", null);
  expect(data.choices[0]?.message).toMatchObject({ refusal: null, annotations: [] });
  expect(data.choices[0]?.message.tool_calls).toBeUndefined();
  expect(Math.abs(Date.now() / 1000 - data.created)).toBeLessThan(60);
});

test("chat.completions.parse, with strict tools", async () => {
  await using server = await startStopServer();
  const completion = await server.client.chat.completions.parse({ model: "a", messages, tools });
  expect(completion.choices).toMatchObject([chatChoice]);
});

test("chat.completions.create, streamed", async () => {
  await using server = await startStopServer();
  const body = { model: "route-a", messages, stream: true } as const;
  const read = async (more: object) => {
    const chunks = [];
    const stream = await server.client.chat.completions.create({ ...body, ...more });
    for await (const chunk of stream) chunks.push(chunk);
    return chunks;
  };
  const chunks = await read({});
  expect(chunks.map((chunk) => chunk.choices[0]?.delta)).toMatchObject([
    { role: "assistant", content: "" },
    { content: stopText },
    {},
  ]);
  expect(chunks.map((chunk) => chunk.choices[0]?.finish_reason)).toEqual([null, null, "stop"]);
  expect(new Set(chunks.map((chunk) => `${chunk.id} ${chunk.object} ${chunk.model}`)).size).toBe(1);
  expect(chunks[0]).not.toHaveProperty("usage");

  const counted = await read({ stream_options: { include_usage: true } });
  expect(counted).toHaveLength(4);
  expect(counted[0]).toHaveProperty("usage", null);
  expect(counted.at(-1)).toMatchObject({ choices: [], usage: noUsage });
});

test("chat.completions.stream", async () => {
  await using server = await startStopServer();
  const stream = server.client.chat.completions.stream({ model: "a", messages, tools });
  const completion = await stream.finalChatCompletion();
  expect(completion.choices).toMatchObject([chatChoice]);
  expect(await stream.finalContent()).toBe(stopText);
});

test("chat.completions.runTools ends at the stop", async () => {
  await using server = await startStopServer();
  let acted = 0;
  const act = {
    type: "function" as const,
    function: {
      name: "act",
      description: "acts",
      parameters: { type: "object", properties: {} },
      function: () => String(++acted),
    },
  };
  const runner = server.client.chat.completions.runTools({ model: "a", messages, tools: [act] });
  expect(await runner.finalContent()).toBe(stopText);
  expect(acted).toBe(0);
});

test("responses.create", async () => {
  await using server = await startStopServer();
  const { data, response } = await server.client.responses
    .create({ model: "route-a", input: "go on" })
    .withResponse();
  expect(response.headers.get("x-gateway-stop")).toBe("max_steps");
  expect(data).toMatchObject({
    id: expect.stringMatching(/^resp_/),
    object: "response",
    status: "completed",
    model: "route-a",
    output_text: stopText,
    error: null,
    incomplete_details: null,
  });
  expect(data.output).toEqual([
    {
      id: expect.stringMatching(/^msg_/),
      type: "message",
      status: "completed",
      role: "assistant",
      content: [{ type: "output_text", text: stopText, annotations: [], logprobs: [] }],
    },
  ]);
});

test("responses.create, streamed", async () => {
  await using server = await startStopServer();
  const events = [];
  const body = { model: "a", input: "go on", stream: true } as const;
  for await (const event of await server.client.responses.create(body)) events.push(event);
  expect(events.map((event) => event.type)).toEqual([
    "response.created",
    "response.in_progress",
    "response.output_item.added",
    "response.content_part.added",
    "response.output_text.delta",
    "response.output_text.done",
    "response.content_part.done",
    "response.output_item.done",
    "response.completed",
  ]);
  expect(events.map((event) => event.sequence_number)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(events[0]).toMatchObject({ response: { status: "in_progress", output: [] } });
  expect(events.at(-1)).toMatchObject({
    response: { status: "completed", output: [{ status: "completed" }] },
  });
});

test("responses.stream and responses.parse", async () => {
  await using server = await startStopServer();
  const flat = [{ type: "function" as const, name: "act", strict: true, parameters: {} }];
  const body = { model: "a", input: "go on", tools: flat };
  const final = await server.client.responses.stream(body).finalResponse();
  expect(final.output_text).toBe(stopText);
  const parsed = await server.client.responses.parse(body);
  expect(parsed.output_text).toBe(stopText);
  expect(parsed.output_parsed).toBeNull();
});

const schema = { type: "object", properties: { answer: { type: "string" } } };
const chatFormats = [
  { type: "json_object" as const },
  { type: "json_schema" as const, json_schema: { name: "answer", strict: true, schema } },
];

test.each(chatFormats)(
  "if JSON is requested, chat helpers find a refusal: $type",
  async (response_format) => {
    await using server = await startStopServer();
    const body = { model: "a", messages, response_format };
    const refused = { role: "assistant", content: null, refusal: stopText };
    const parsed = await server.client.chat.completions.parse(body);
    expect(parsed.choices).toMatchObject([{ finish_reason: "stop", message: refused }]);
    expect(parsed.choices[0]?.message.parsed).toBeNull();
    const streamed = await server.client.chat.completions.stream(body).finalChatCompletion();
    expect(streamed.choices).toMatchObject([{ finish_reason: "stop", message: refused }]);
  },
);

test.each([
  { type: "json_object" as const },
  { type: "json_schema" as const, name: "answer", strict: true, schema },
])("if JSON is requested, responses helpers find a refusal: $type", async (format) => {
  await using server = await startStopServer();
  const body = { model: "a", input: "go on", text: { format } };
  const content = [{ type: "refusal", refusal: stopText }];
  const parsed = await server.client.responses.parse(body);
  expect(parsed.output).toMatchObject([{ type: "message", content }]);
  expect(parsed.output_parsed).toBeNull();
  const streamed = await server.client.responses.stream(body).finalResponse();
  expect(streamed.output).toMatchObject([{ type: "message", content }]);
});

test.each([
  [3, 3],
  [0, 1],
  [1e9, 128],
  ["4", 1],
])("n %j has %i choices, plain and streamed", async (n, count) => {
  await using server = await startStopServer();
  const body = { model: "a", messages, n: n as number };
  const plain = await server.client.chat.completions.create(body);
  expect(plain.choices).toMatchObject(
    Array.from({ length: count }, (_, index) => ({ ...chatChoice, index })),
  );
  const streamed = await server.client.chat.completions.stream(body).finalChatCompletion();
  expect(streamed.choices.map(({ index, message }) => [index, message.content])).toEqual(
    Array.from({ length: count }, (_, index) => [index, stopText]),
  );
});
