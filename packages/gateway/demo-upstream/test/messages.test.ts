import Anthropic, { AuthenticationError, BadRequestError } from "@anthropic-ai/sdk";
import { expect, test } from "vitest";
import { start } from "./start.ts";

async function client(options = {}): Promise<Anthropic> {
  const { url } = await start(options);
  return new Anthropic({ baseURL: url.replace("/v1", ""), apiKey: "any", maxRetries: 0 });
}

const question = {
  model: "demo",
  max_tokens: 100,
  messages: [{ role: "user" as const, content: "What is 19 + 23?" }],
};

const tools = [
  {
    name: "look",
    input_schema: { type: "object" as const, properties: { at: { type: "string" } } },
  },
];

test("a message answers, and its stream adds up to the same", async () => {
  const { messages } = await client();
  const message = await messages.create({ ...question, system: "Be brief." });
  expect(message).toMatchObject({
    type: "message",
    role: "assistant",
    content: [{ type: "text", text: "19 + 23 = 42" }],
    stop_reason: "end_turn",
  });
  const streamed = messages.stream({ ...question, system: "Be brief." });
  expect(await streamed.finalMessage()).toMatchObject({ ...message });
});

test("a tool is called in a few rounds, and its results are answered in text", async () => {
  const { messages } = await client({ toolRounds: 1 });
  const called = await messages.stream({ ...question, tools }).finalMessage();
  expect(called.stop_reason).toBe("tool_use");
  const [use] = called.content;
  if (use?.type !== "tool_use") throw new Error("no tool was called");
  expect(use).toMatchObject({ name: "look", input: { at: expect.any(String) } });
  const result = { type: "tool_result" as const, tool_use_id: use.id, content: "a door" };
  const answered = await messages.create({
    ...question,
    tools,
    messages: [
      ...question.messages,
      { role: "assistant", content: called.content },
      { role: "user", content: [result] },
    ],
  });
  expect(answered.content).toMatchObject([
    { type: "text", text: expect.stringContaining("After one tool call") },
  ]);
});

test("tokens are counted as the message's usage counts them", async () => {
  const { messages } = await client();
  const { usage } = await messages.create(question);
  const { model, messages: said } = question;
  expect(await messages.countTokens({ model, messages: said })).toEqual({
    input_tokens: usage.input_tokens,
  });
});

test("stop reasons and errors have Anthropic's names", async () => {
  const { messages } = await client();
  expect(await messages.create({ ...question, max_tokens: 1 })).toMatchObject({
    stop_reason: "max_tokens",
  });
  await expect(messages.create({ ...question, messages: [] })).rejects.toThrow(BadRequestError);
  const { messages: locked } = await client({ apiKey: "another" });
  await expect(locked.create(question)).rejects.toThrow(AuthenticationError);
});
