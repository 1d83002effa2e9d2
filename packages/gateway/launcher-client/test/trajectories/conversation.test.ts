import { type ConversationStep, readConversation, sessionSteps } from "@proj/session-store/answers";
import { expect, test } from "vitest";
import { type StoredJob, sharedDatabase, type WrittenStep } from "./stored-job.ts";

const database = sharedDatabase();

async function conversationOf(
  job: StoredJob,
  steps: readonly Partial<WrittenStep>[],
): Promise<ConversationStep[]> {
  const session_id = await job.claim("s1");
  for (const step of steps) await job.step(session_id, step);
  const conversation: ConversationStep[] = [];
  for await (const step of readConversation(sessionSteps(job.store, session_id))) {
    conversation.push(step);
  }
  return conversation;
}

const chatStep = (messages: readonly object[], answer: object): Partial<WrittenStep> => ({
  messages: JSON.stringify(messages),
  request: '{"messages":null}',
  response: JSON.stringify({ choices: [{ message: { role: "assistant", ...answer } }] }),
});

const system = { role: "system", content: "Be brief." };
const question = { role: "user", content: [{ type: "text", text: "How deep is it?" }] };
const call = { id: "call_1", type: "function", function: { name: "measure", arguments: "{}" } };
const result = { role: "tool", tool_call_id: "call_1", content: "3 m" };
const text = (said: string): object => ({ kind: "text", text: said });

const readResult = (call_id: string) => {
  const parts = [{ kind: "text", text: "3 m" }];
  return { kind: "tool_result", call_id, text: "3 m", parts, is_error: false };
};

test("each step shows only what is new: not the history, nor the previous answer", async () => {
  const job = database.newJob();
  const calling = { role: "assistant", content: null, tool_calls: [call] };
  const steps = await conversationOf(job, [
    chatStep([system, question], { reasoning_content: "I must look.", tool_calls: [call] }),
    chatStep([system, question, calling, result], { content: "Three metres." }),
  ]);
  expect(steps.map(({ known_messages }) => known_messages)).toEqual([0, 3]);
  expect(steps[0]?.messages).toEqual([
    { role: "system", parts: [text("Be brief.")] },
    { role: "user", parts: [text("How deep is it?")] },
  ]);
  expect(steps[0]?.answers).toEqual([
    {
      role: "assistant",
      parts: [
        { kind: "reasoning", text: "I must look." },
        { kind: "tool_call", call_id: "call_1", name: "measure", arguments: "{}" },
      ],
    },
  ]);
  expect(steps[1]?.messages).toEqual([{ role: "tool", parts: [readResult("call_1")] }]);
  expect(steps[1]?.answers).toEqual([{ role: "assistant", parts: [text("Three metres.")] }]);
});

test("conversations in one session are kept apart, and a rewritten one is shown from its first change", async () => {
  const job = database.newJob();
  const other = { role: "system", content: "You are a critic." };
  const answer = { role: "assistant", content: "Deep." };
  const next = { role: "user", content: "How wide?" };
  const steps = await conversationOf(job, [
    chatStep([system, question], { content: "Deep." }),
    chatStep([other, question], { content: "Well said." }),
    chatStep([system, question, answer, next], { content: "Wide." }),
    chatStep([system, { role: "user", content: "A summary." }, next], { content: "Wide." }),
  ]);
  expect(steps.map(({ known_messages }) => known_messages)).toEqual([0, 0, 3, 1]);
  expect(steps.map(({ messages }) => messages?.length)).toEqual([2, 2, 1, 2]);
});

test("Anthropic's messages are read: the system prompt, thinking, tools and their results", async () => {
  const job = database.newJob();
  const thinking = { type: "thinking", thinking: "Look first.", signature: "s" };
  const use = { type: "tool_use", id: "t1", name: "measure", input: { deep: true } };
  const results = [
    { type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "3 m" }] },
  ];
  const messageStep = (messages: readonly object[], content: readonly object[]) => ({
    messages: JSON.stringify(messages),
    request: JSON.stringify({ messages: null, system: [{ type: "text", text: "Be brief." }] }),
    response: JSON.stringify({ type: "message", role: "assistant", content }),
  });
  const steps = await conversationOf(job, [
    messageStep([question], [thinking, use]),
    messageStep(
      [
        question,
        { role: "assistant", content: [thinking, use] },
        { role: "user", content: results },
      ],
      [{ type: "text", text: "Three metres." }],
    ),
  ]);
  expect(steps.map(({ known_messages }) => known_messages)).toEqual([0, 3]);
  expect(steps[0]).toMatchObject({
    messages: [{ role: "system", parts: [text("Be brief.")] }, { role: "user" }],
    answers: [
      {
        role: "assistant",
        parts: [
          { kind: "reasoning", text: "Look first." },
          { kind: "tool_call", call_id: "t1", name: "measure", arguments: '{"deep":true}' },
        ],
      },
    ],
  });
  expect(steps[1]).toMatchObject({
    messages: [{ role: "tool", parts: [readResult("t1")] }],
    answers: [{ role: "assistant", parts: [text("Three metres.")] }],
  });
});

test("the responses endpoint's items are read: instructions, calls, outputs, reasoning", async () => {
  const job = database.newJob();
  const reasoning = { type: "reasoning", id: "rs_1", summary: [{ text: "Look first." }] };
  const called = { type: "function_call", call_id: "c1", name: "measure", arguments: "{}" };
  const output = { type: "function_call_output", call_id: "c1", output: "3 m" };
  const said = {
    type: "message",
    role: "assistant",
    content: [{ type: "output_text", text: "Three." }],
  };
  const request = '{"instructions":"Be brief.","input":null}';
  const steps = await conversationOf(job, [
    { request, messages: '"How deep?"', response: JSON.stringify({ output: [reasoning, called] }) },
    {
      request,
      messages: JSON.stringify([{ role: "user", content: "How deep?" }, called, output]),
      response: JSON.stringify({ output: [said] }),
    },
  ]);
  expect(steps[0]?.messages).toEqual([
    { role: "system", parts: [text("Be brief.")] },
    { role: "user", parts: [text("How deep?")] },
  ]);
  expect(steps[0]?.answers).toEqual([
    { role: "assistant", parts: [{ kind: "reasoning", text: "Look first." }] },
    {
      role: "assistant",
      parts: [{ kind: "tool_call", call_id: "c1", name: "measure", arguments: "{}" }],
    },
  ]);
  expect(steps[1]?.known_messages).toBe(3);
  expect(steps[1]?.messages).toEqual([{ role: "tool", parts: [readResult("c1")] }]);
  expect(steps[1]?.answers).toEqual([{ role: "assistant", parts: [text("Three.")] }]);
});

test("completions are read: texts and token ids, and an answer's texts; embeddings have none", async () => {
  const job = database.newJob();
  const meta = { endpoint: "completions" };
  const answered = (...texts: string[]): string =>
    JSON.stringify({ choices: texts.map((each, index) => ({ index, text: each })) });
  const ids = (...token_ids: number[]): object => ({
    role: "user",
    parts: [
      { kind: "other", type: "token_ids", json: JSON.stringify({ type: "token_ids", token_ids }) },
    ],
  });
  const said = (role: string, content: string): object => ({ role, parts: [text(content)] });
  const steps = await conversationOf(job, [
    { meta, messages: '"The sky"', response: answered(" is blue") },
    { meta, messages: '["The sky","The sea"]', response: answered(" is blue", " is deep") },
    { meta, messages: "[464,6766]", response: answered("") },
    { meta, messages: "[[1,2],[3]]", response: answered() },
    {
      meta: { endpoint: "embeddings" },
      step_id: -1,
      messages: null,
      response: '{"data":[{"embedding":{"dimensions":3}}]}',
    },
  ]);
  expect(steps.map(({ messages, answers }) => [messages, answers])).toEqual([
    [[said("user", "The sky")], [said("assistant", " is blue")]],
    // The first prompt is known from the previous step.
    [[said("user", "The sea")], [said("assistant", " is blue"), said("assistant", " is deep")]],
    [[ids(464, 6766)], [{ role: "assistant", parts: [] }]],
    [[ids(1, 2), ids(3)], []],
    [null, null],
  ]);
});

test("a failed step says why, wherever it failed", async () => {
  const job = database.newJob();
  const steps = await conversationOf(job, [
    {
      status_code: 401,
      response: '{"error":{"message":"Incorrect API key"}}',
      meta: { upstream_status_code: 401, outcome: "completed", error: null },
    },
    {
      status_code: 502,
      meta: { upstream_status_code: 200, outcome: "upstream_broken", error: "it broke off" },
    },
    { status_code: 504, meta: { upstream_status_code: null, outcome: "timeout", error: "late" } },
    { status_code: 500, response: '"<html>oops</html>"', meta: { upstream_status_code: 500 } },
  ]);
  expect(steps.map(({ failure }) => failure)).toEqual([
    "401: Incorrect API key",
    "502 upstream_broken, the upstream answered 200: it broke off",
    "504 timeout: late",
    "500: <html>oops</html>",
  ]);
  expect(steps.map(({ answers }) => answers)).toEqual([null, null, null, null]);
});

test("payloads of any kind are read: missing, odd and deep ones", async () => {
  const job = database.newJob();
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const image = { type: "image_url", image_url: { url: "data:," } };
  const steps = await conversationOf(job, [
    {},
    { messages: "{}", response: "[]" },
    { messages: `[7,{"role":"user","content":[${JSON.stringify(image)},${deep}]}]` },
    { messages: `[${deep}]`, response: `{"choices":[{"message":{"content":${deep}}}]}` },
  ]);
  expect(steps[0]).toMatchObject({ messages: null, answers: null, failure: null });
  expect(steps[1]).toMatchObject({ messages: [], answers: null });
  expect(steps[2]?.messages?.[0]).toEqual({
    role: "unknown",
    parts: [{ kind: "other", type: "unknown", json: "7" }],
  });
  expect(steps[2]?.messages?.[1]?.parts).toMatchObject([
    { kind: "image", url: "data:,", type: "image_url", json: JSON.stringify(image) },
    { kind: "other", type: "unknown" },
  ]);
  expect(steps[3]?.messages).toHaveLength(1);
});
