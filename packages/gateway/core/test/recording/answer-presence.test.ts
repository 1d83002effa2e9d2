import Anthropic from "@anthropic-ai/sdk";
import {
  chatCompletion,
  chatStream,
  messageObject,
  messageStream,
  responseObject,
  responseStream,
} from "@proj/test-kit";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { onlyStep } from "../telemetry/bound-calls.ts";
import { sharedGateway } from "./shared-gateway.ts";

// Success is the presence of an answer, on every API, plain and streamed. The official SDKs ask.

const apis = ["chat_completions", "messages", "responses", "completions", "embeddings"] as const;
const shared = sharedGateway({}, { endpoints: [...apis] });

type Api = (typeof apis)[number];
type Answer = object | readonly (string | object)[];

const model = "policy";
const messages = [{ role: "user" as const, content: "Hello" }];

/** Asks in the API's own SDK; a list is the answer to a streamed request. What the SDK makes of it does not matter. */
async function ask(api: Api, session_id: string, answer: Answer): Promise<void> {
  const stream = Array.isArray(answer);
  shared.upstream.answer(session_id, (_request, reply) => {
    if (!stream) return void reply.json(answer);
    void reply.events(
      answer.map((event) => {
        if (event instanceof Uint8Array || String(event).includes("\n")) return event as string;
        return `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`;
      }),
    );
  });
  const options = { apiKey: "none", maxRetries: 0, logLevel: "off" as const };
  const openai = new OpenAI({ ...options, baseURL: shared.gateway.sessionUrl(session_id) });
  const anthropic = new Anthropic({ ...options, baseURL: shared.gateway.sessionUrl(session_id) });
  const calls: Record<Api, () => Promise<unknown>> = {
    chat_completions: () => openai.chat.completions.create({ model, messages, stream }),
    messages: () => anthropic.messages.create({ model, messages, max_tokens: 9, stream }),
    responses: () => openai.responses.create({ model, input: "Hello", stream }),
    completions: () => openai.completions.create({ model, prompt: "Hello", stream }),
    embeddings: () => openai.embeddings.create({ model, input: "Hello" }),
  };
  try {
    const answered = await calls[api]();
    if (stream) for await (const _ of answered as AsyncIterable<unknown>);
  } catch {}
}

const choices = (...list: object[]): object => ({ ...chatCompletion(), choices: list });
const chunk = (members: object): object => ({
  id: "c",
  object: "chat.completion.chunk",
  created: 1,
  model,
  choices: [],
  ...members,
});
const delta = (content: string | null, finish_reason: string | null = null): object =>
  chunk({ choices: [{ index: 0, delta: { role: "assistant", content }, finish_reason }] });
const usage = { prompt_tokens: 1, completion_tokens: 0, total_tokens: 1 };
const said = (content: string | null, finish_reason: string | null): object => ({
  index: 0,
  message: { role: "assistant", content },
  finish_reason,
});
const error = { message: "no GPU", code: 500 };
const completed = (members: object): object => ({ ...responseObject({}), ...members });
const ended = (members: object): readonly (string | object)[] => [
  { type: "response.created", response: completed({ status: "in_progress", output: [] }) },
  { type: "response.completed", response: completed(members) },
];
const start = (members: object): object => ({
  type: "message_start",
  message: { ...messageObject(), content: [], stop_reason: null, ...members },
});

const none: readonly (readonly [Api, string, Answer, string])[] = [
  ["chat_completions", "no choices", choices(), "the answer has no choices"],
  ["chat_completions", "null choices", { id: "c", choices: null }, "the answer has no choices"],
  ["chat_completions", "a detail", { detail: "not found" }, "the answer has no choices"],
  [
    "chat_completions",
    "a wrapper",
    { code: 0, data: chatCompletion() },
    "the answer has no choices",
  ],
  [
    "chat_completions",
    "an error beside nothing",
    { ...choices(said(null, "stop")), error },
    "the answer is an error",
  ],
  [
    "chat_completions",
    "an error beside no choices",
    { ...choices(), error },
    "the answer is an error",
  ],
  [
    "chat_completions",
    "network_error",
    choices(said("", "network_error")),
    "the finish reason is 'network_error'",
  ],
  [
    "chat_completions",
    "silence without a reason",
    choices(said(null, null)),
    "the answer has no choices",
  ],
  ["chat_completions", "only [DONE]", ["[DONE]"], "the answer has no choices"],
  [
    "chat_completions",
    "usage and [DONE]",
    [chunk({ usage }), "[DONE]"],
    "the answer has no choices",
  ],
  ["chat_completions", "a role and [DONE]", [delta(null), "[DONE]"], "the answer has no choices"],
  [
    "chat_completions",
    "a streamed network_error",
    [delta("Hel"), delta("", "network_error"), "[DONE]"],
    "the finish reason is 'network_error'",
  ],
  [
    "completions",
    "no choices",
    { id: "c", object: "text_completion", choices: [] },
    "the answer has no choices",
  ],
  ["completions", "only [DONE]", ["[DONE]"], "the answer has no choices"],
  [
    "completions",
    "an empty text without a reason",
    [chunk({ choices: [{ index: 0, text: "" }] }), "[DONE]"],
    "the answer has no choices",
  ],
  ["messages", "an object of another kind", { detail: "not found" }, "the answer has no content"],
  [
    "messages",
    "null content",
    { ...messageObject(), content: null, stop_reason: null },
    "the answer has no content",
  ],
  [
    "messages",
    "an error beside no content",
    { ...messageObject(), content: [], error },
    "the answer is an error",
  ],
  [
    "messages",
    "a start and an end",
    [start({}), { type: "message_stop" }],
    "the answer has no content",
  ],
  ["responses", "no output", completed({ output: [] }), "the answer has no output"],
  ["responses", "null output", completed({ output: null }), "the answer has no output"],
  [
    "responses",
    "an error beside no output",
    completed({ output: [], error }),
    "the answer is an error",
  ],
  ["responses", "a chat completion", chatCompletion(), "the answer has no output"],
  ["responses", "an object of another kind", { detail: "not found" }, "the answer has no output"],
  ["responses", "streamed without output", ended({ output: [] }), "the answer has no output"],
  ["responses", "streamed with an error", ended({ output: [], error }), "the answer is an error"],
  [
    "responses",
    "an end without a response",
    [{ type: "response.completed" }],
    "the answer has no output",
  ],
  ["embeddings", "no data", { object: "list", data: [] }, "the answer has no data"],
  ["embeddings", "an error", { error }, "the answer is an error"],
  ["embeddings", "an object of another kind", { detail: "not found" }, "the answer has no data"],
];

const embedding = { object: "embedding", index: 0, embedding: [0.5] };
const item = { id: "m", type: "message", role: "assistant", status: "completed", content: [] };

const some: readonly (readonly [Api, string, Answer])[] = [
  ["chat_completions", "an empty text with a reason", choices(said("", "stop"))],
  ["chat_completions", "a text without a reason", choices(said("Hello", null))],
  ["chat_completions", "a text beside an error of null", { ...chatCompletion(), error: null }],
  ["chat_completions", "an empty streamed text with a reason", [delta("", "stop"), "[DONE]"]],
  ["chat_completions", "a streamed text without a reason", [delta("Hello"), "[DONE]"]],
  ["chat_completions", "a stream", chatStream(chatCompletion())],
  ["completions", "a text", { choices: [{ index: 0, text: "Hi", finish_reason: null }] }],
  ["completions", "a streamed text", [chunk({ choices: [{ index: 0, text: "Hi" }] }), "[DONE]"]],
  ["messages", "an empty turn", { ...messageObject(), content: [], stop_reason: "end_turn" }],
  ["messages", "a stream", messageStream(messageObject())],
  ["responses", "an item", completed({ output: [item] })],
  ["responses", "a stream", responseStream(responseObject())],
  ["embeddings", "a vector", { object: "list", data: [embedding], model }],
];

describe("a 200 that is not an answer", () => {
  test.each(none)("%s: %s", async (api, what, answer, why) => {
    const session_id = `none-${api}-${what.replaceAll(/[^a-zA-Z]+/g, "-")}`;
    await ask(api, session_id, answer);
    expect(await onlyStep(shared.gateway, session_id)).toMatchObject({
      status_code: 502,
      meta: { upstream_status_code: 200, outcome: "no_answer", error: why },
    });
    expect(await shared.latestSuccess(session_id)).toBeNull();
  });
});

describe("an answer that says little", () => {
  test.each(some)("%s: %s", async (api, what, answer) => {
    const session_id = `some-${api}-${what.replaceAll(/[^a-zA-Z]+/g, "-")}`;
    await ask(api, session_id, answer);
    expect(await onlyStep(shared.gateway, session_id)).toMatchObject({
      status_code: 200,
      meta: { outcome: "completed", error: null },
    });
  });
});

test("the latest success is the answer, not the nothing after it", async () => {
  await ask("chat_completions", "then-nothing", chatStream(chatCompletion()));
  await ask("chat_completions", "then-nothing", ["[DONE]"]);
  expect(await shared.latestSuccess("then-nothing")).toBe(1);
});

test("a response whose end leaves out the items that were streamed is stored with them", async () => {
  const whole = responseObject({});
  const events = responseStream(whole).map(String);
  const emptied = events.map((event) => {
    if (!event.includes("event: response.completed")) return event;
    const data = JSON.parse(event.slice(event.indexOf("{")));
    data.response.output = [];
    return `event: response.completed\ndata: ${JSON.stringify(data)}\n\n`;
  });
  await ask("responses", "left-out", emptied);
  const step = await onlyStep(shared.gateway, "left-out");
  expect(step).toMatchObject({
    status_code: 200,
    meta: { outcome: "completed", truncated: false },
  });
  expect(JSON.parse(step.response ?? "")).toEqual(JSON.parse(JSON.stringify(whole)));
});
