import type {
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from "openai/resources/chat/completions";
import { expect, test } from "vitest";
import { start } from "./start.ts";

function tool(name: string, properties: object): ChatCompletionTool {
  const parameters = { type: "object", properties, required: Object.keys(properties) };
  return { type: "function", function: { name, parameters } };
}

const tools = [
  tool("search", { query: { type: "string" }, limit: { type: "integer", maximum: 10 } }),
  tool("read", { page: { type: "number" } }),
];

test("an agent's loop calls tools for a few steps and ends in text", async () => {
  const { client } = await start();
  const messages: ChatCompletionMessageParam[] = [{ role: "user", content: "Find otters" }];
  const called: string[] = [];
  let answer: string | null = null;
  for (let step = 0; step < 10 && answer === null; step++) {
    const { choices } = await client.chat.completions.create({ model: "a", messages, tools });
    const message = choices[0]?.message;
    const call = message?.tool_calls?.[0];
    if (message === undefined || call?.type !== "function") {
      answer = message?.content ?? null;
      break;
    }
    expect(choices[0]?.finish_reason).toBe("tool_calls");
    expect(message.content).toBeNull();
    called.push(`${call.function.name} ${call.function.arguments}`);
    messages.push(message, { role: "tool", tool_call_id: call.id, content: `result ${step}` });
  }
  expect(called).toEqual([
    'search {"query":"Find otters","limit":1}',
    'read {"page":2}',
    'search {"query":"Find otters","limit":3}',
  ]);
  expect(answer).toBe("After 3 tool calls: the last result was result 2");
});

test("toolRounds sets the number of steps", async () => {
  const { client } = await start({ toolRounds: 1 });
  const { choices } = await client.chat.completions.create({
    model: "a",
    tools,
    messages: [
      { role: "user", content: "What is 2 * 21?" },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "call_1", type: "function", function: { name: "search", arguments: "{}" } },
        ],
      },
      { role: "tool", tool_call_id: "call_1", content: "no idea" },
    ],
  });
  expect(choices[0]?.message.content).toBe("After one tool call: 2 * 21 = 42");
});

test("tool_choice decides", async () => {
  const { client } = await start({ toolRounds: 0 });
  const ask = async (
    choice: "auto" | "none" | "required" | { type: "function"; function: { name: string } },
  ) => {
    const { choices } = await client.chat.completions.create({
      model: "a",
      tools,
      tool_choice: choice,
      messages: [{ role: "user", content: "hello" }],
    });
    const call = choices[0]?.message.tool_calls?.[0];
    return call?.type === "function" ? call.function.name : null;
  };
  expect(await ask("none")).toBeNull();
  expect(await ask("auto")).toBeNull();
  expect(await ask("required")).toBe("search");
  expect(await ask({ type: "function", function: { name: "read" } })).toBe("read");
});

test("a streamed call assembles to the plain one", async () => {
  const { client } = await start();
  const body = { model: "a", tools, messages: [{ role: "user" as const, content: "Find otters" }] };
  const plain = await client.chat.completions.create(body);
  const streamed = await client.chat.completions.stream(body).finalChatCompletion();
  expect(streamed.choices[0]?.finish_reason).toBe("tool_calls");
  expect(streamed.choices[0]?.message.tool_calls).toMatchObject(
    plain.choices[0]?.message.tool_calls ?? [],
  );
});

test("the responses endpoint calls tools as well, plain and streamed", async () => {
  const { client } = await start({ toolRounds: 1 });
  const flat = [
    {
      type: "function" as const,
      name: "search",
      strict: true,
      parameters: {
        type: "object",
        properties: { query: { type: "string" } },
        required: ["query"],
      },
    },
  ];
  const body = { model: "a", tools: flat, input: "Find otters" };
  const plain = await client.responses.create(body);
  const call = plain.output[0];
  expect(call).toMatchObject({
    type: "function_call",
    name: "search",
    arguments: '{"query":"Find otters"}',
  });
  if (call?.type !== "function_call") return;

  const streamed = await client.responses.stream(body).finalResponse();
  expect(streamed.output).toMatchObject(plain.output);

  const answer = await client.responses.create({
    ...body,
    input: [
      { role: "user", content: "Find otters" },
      call,
      { type: "function_call_output", call_id: call.call_id, output: "in the river" },
    ],
  });
  expect(answer.output_text).toBe("After one tool call: the last result was in the river");
});
