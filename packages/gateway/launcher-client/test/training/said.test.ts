import { expect, test } from "vitest";
import { exportFormats, exportRollouts } from "../../src/index.ts";
import { sharedDatabase } from "../trajectories/stored-job.ts";

const database = sharedDatabase();

interface Line {
  readonly messages: readonly unknown[];
  readonly conversations: readonly unknown[];
  readonly tools: unknown;
}

/** What a format makes of one step: its messages, its answer and its tools. */
async function exported(name: string, step: Exchange): Promise<Line | undefined> {
  const job = database.newJob();
  const session_id = await job.claim("s1");
  const { messages, response, tools } = step;
  await job.step(session_id, {
    messages: JSON.stringify(messages),
    request: JSON.stringify({ model: "policy", tools }),
    response: JSON.stringify(response),
  });
  await job.finish(session_id, 1);
  const format = exportFormats.find((one) => one.name === name);
  if (format === undefined) throw new Error(`there is no format ${name}`);
  for await (const line of exportRollouts(job.store, { format, job_id: job.job_id }))
    return JSON.parse(line);
  return undefined;
}

interface Exchange {
  readonly messages: readonly object[];
  readonly response: object;
  readonly tools?: readonly object[];
}

const user = (content: unknown): object => ({ role: "user", content });
const call = (id: string, a: number): object => ({
  ...{ id, type: "function" },
  function: { name: "add", arguments: `{"a":${a}}` },
});
const says = (message: object): object => ({
  choices: [{ message: { role: "assistant", ...message } }],
});
const result = (tool_call_id: string, content: string): object => ({
  ...{ role: "tool", tool_call_id },
  content,
});

/** Words and two calls in one message of chat completions, and both results. */
const parallel: Exchange = {
  messages: [
    { role: "developer", content: "be brief" },
    user("2 + 2, 3 + 3?"),
    { role: "assistant", content: "I add.", tool_calls: [call("c1", 2), call("c2", 3)] },
    result("c1", "4"),
    result("c2", "6"),
  ],
  response: says({ content: "4 and 6" }),
};

test("sharegpt: words, parallel calls and their results are a turn each", async () => {
  expect((await exported("sharegpt", parallel))?.conversations).toEqual([
    { from: "human", value: "2 + 2, 3 + 3?" },
    {
      from: "function_call",
      value:
        'I add.\n<tool_call>[{"name":"add","arguments":{"a":2}},{"name":"add","arguments":{"a":3}}]</tool_call>',
    },
    { from: "observation", value: "4\n6" },
    { from: "gpt", value: "4 and 6" },
  ]);
});

test("openai-finetuning: items of responses that were one answer are one message", async () => {
  const responses: Exchange = {
    messages: [
      { role: "developer", content: "be brief" },
      user("2 + 2, 3 + 3?"),
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "I add." }] },
      { type: "function_call", call_id: "c1", name: "add", arguments: '{"a":2}' },
      { type: "function_call", call_id: "c2", name: "add", arguments: '{"a":3}' },
      { type: "function_call_output", call_id: "c1", output: "4" },
      { type: "function_call_output", call_id: "c2", output: "6" },
    ],
    response: {
      output: [
        { type: "reasoning", summary: [] },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "4 and 6" }] },
      ],
    },
  };
  const expected = [
    { role: "system", content: "be brief" },
    { role: "user", content: "2 + 2, 3 + 3?" },
    { role: "assistant", content: "I add.", tool_calls: [call("c1", 2), call("c2", 3)] },
    { role: "tool", tool_call_id: "c1", content: "4" },
    { role: "tool", tool_call_id: "c2", content: "6" },
    { role: "assistant", content: "4 and 6" },
  ];
  expect((await exported("openai-finetuning", responses))?.messages).toEqual(expected);
  expect((await exported("openai-finetuning", parallel))?.messages).toEqual(expected);
});

test("one side's turns are one, and what was not answered is left out", async () => {
  const messages = [user("a"), user([{ type: "image_url" }]), user("b")];
  const spoken = { messages, response: says({ content: "c" }) };
  expect((await exported("sharegpt", spoken))?.conversations).toEqual([
    { from: "human", value: "a\n\nb" },
    { from: "gpt", value: "c" },
  ]);
  const silent = { messages, response: says({ content: "" }) };
  expect(await exported("sharegpt", silent)).toBeUndefined();
  expect(await exported("openai-finetuning", silent)).toBeUndefined();
});

test("tools of every API are functions", async () => {
  const parameters = { type: "object", properties: { a: { type: "number" } } };
  const response = says({ content: "c" });
  const of = async (...tools: object[]): Promise<unknown> =>
    (await exported("openai-finetuning", { messages: [user("a")], response, tools }))?.tools;
  const add = { type: "function", function: { name: "add", description: "Adds.", parameters } };
  expect(await of(add)).toEqual([add]);
  const named = { name: "add", description: "Adds." };
  expect(await of({ type: "function", ...named, parameters })).toEqual([add]);
  expect(await of({ ...named, input_schema: parameters })).toEqual([add]);
  const patch = { type: "function", function: { name: "patch" } };
  expect(await of({ type: "custom", custom: { name: "patch" } })).toEqual([patch]);
  expect(await of({ type: "custom", name: "patch" })).toEqual([patch]);
  expect(await of({ type: "web_search" })).toBeUndefined();
});

/** Thinking, words and a call in one answer, of each API. */
const thoughtful: Record<string, Exchange> = {
  "chat completions": {
    messages: [
      user("2 + 2?"),
      {
        role: "assistant",
        content: "I add.",
        reasoning_content: "Sums.",
        tool_calls: [call("c1", 2)],
      },
      result("c1", "4"),
    ],
    response: says({ content: "4", reasoning: "It is 4." }),
  },
  responses: {
    messages: [
      user("2 + 2?"),
      { type: "reasoning", summary: [{ type: "summary_text", text: "Sums." }] },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "I add." }] },
      { type: "function_call", call_id: "c1", name: "add", arguments: '{"a":2}' },
      { type: "function_call_output", call_id: "c1", output: "4" },
    ],
    response: {
      output: [
        { type: "reasoning", summary: [], content: [{ type: "reasoning_text", text: "It is 4." }] },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "4" }] },
      ],
    },
  },
  messages: {
    messages: [
      user("2 + 2?"),
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Sums.", signature: "s" },
          { type: "text", text: "I add." },
          { type: "tool_use", id: "c1", name: "add", input: { a: 2 } },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "4" }] },
    ],
    response: {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "It is 4.", signature: "s" },
        { type: "text", text: "4" },
      ],
    },
  },
};

test.each(Object.keys(thoughtful))(
  "reasoning of %s is kept where a format has a place for it",
  async (api) => {
    const exchange = thoughtful[api] as Exchange;
    expect((await exported("messages", exchange))?.messages).toEqual([
      { role: "user", content: "2 + 2?" },
      {
        ...{ role: "assistant", content: "I add.", reasoning_content: "Sums." },
        tool_calls: [
          { id: "c1", type: "function", function: { name: "add", arguments: { a: 2 } } },
        ],
      },
      { role: "tool", tool_call_id: "c1", name: "add", content: "4" },
      { role: "assistant", content: "4", reasoning_content: "It is 4." },
    ]);
    expect((await exported("sharegpt", exchange))?.conversations).toEqual([
      { from: "human", value: "2 + 2?" },
      {
        from: "function_call",
        value:
          '<think>\nSums.\n</think>\n\nI add.\n<tool_call>{"name":"add","arguments":{"a":2}}</tool_call>',
      },
      { from: "observation", value: "4" },
      { from: "gpt", value: "<think>\nIt is 4.\n</think>\n\n4" },
    ]);
    expect((await exported("openai-finetuning", exchange))?.messages).toEqual([
      { role: "user", content: "2 + 2?" },
      { role: "assistant", content: "I add.", tool_calls: [call("c1", 2)] },
      { role: "tool", tool_call_id: "c1", content: "4" },
      { role: "assistant", content: "4" },
    ]);
  },
);

test("an answer of reasoning alone is a message only where there is a place for it", async () => {
  const cut = { messages: [user("a")], response: says({ content: null, reasoning_content: "Hm" }) };
  expect((await exported("messages", cut))?.messages).toEqual([
    { role: "user", content: "a" },
    { role: "assistant", content: "", reasoning_content: "Hm" },
  ]);
  expect(await exported("openai-finetuning", cut)).toBeUndefined();
});

test("messages: arguments that are not an object are kept, and those of a call without any are empty", async () => {
  const calling = (given: string): object => ({
    id: "c1",
    type: "function",
    function: { name: "add", arguments: given },
  });
  const of = async (given: string): Promise<unknown> => {
    const spoken = says({ content: null, tool_calls: [calling(given)] });
    const line = await exported("messages", { messages: [user("a")], response: spoken });
    const [, message] = (line?.messages ?? []) as { tool_calls: { function: object }[] }[];
    return message?.tool_calls[0]?.function;
  };
  expect(await of("")).toEqual({ name: "add", arguments: {} });
  expect(await of('{"a":')).toEqual({ name: "add", arguments: { arguments: '{"a":' } });
  expect(await of("[1]")).toEqual({ name: "add", arguments: { arguments: "[1]" } });
});
