import { expect, test } from "vitest";
import { type ConversationStep, readConversation, sessionSteps } from "../../src/index.ts";
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

test("each step shows what is new: neither the history again, nor the answer before it", async () => {
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
  expect(steps[1]?.messages).toEqual([
    { role: "tool", parts: [{ kind: "tool_result", call_id: "call_1", text: "3 m" }] },
  ]);
  expect(steps[1]?.answers).toEqual([{ role: "assistant", parts: [text("Three metres.")] }]);
});

test("conversations in one session are told apart, and one that is written anew is shown from there", async () => {
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
  expect(steps[1]?.messages).toEqual([
    { role: "tool", parts: [{ kind: "tool_result", call_id: "c1", text: "3 m" }] },
  ]);
  expect(steps[1]?.answers).toEqual([{ role: "assistant", parts: [text("Three.")] }]);
});

test("a step that failed says why, whoever failed", async () => {
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

test("payloads of any kind are read: none, odd ones, deep ones", async () => {
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
    { kind: "other", type: "image_url", json: JSON.stringify(image) },
    { kind: "other", type: "unknown" },
  ]);
  expect(steps[3]?.messages).toHaveLength(1);
});
