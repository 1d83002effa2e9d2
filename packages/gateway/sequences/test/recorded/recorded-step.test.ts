import { describe, expect, test } from "vitest";
import { EnginePrompts, RecordedStep, type StoredCall } from "../../src/recorded/index.ts";

type Given = Partial<Record<"meta_json" | "request" | "response" | "messages", unknown>> &
  Omit<Partial<StoredCall>, "meta_json" | "request" | "response" | "messages">;

/** A row of `session_steps`; JSON is given as the value. */
function row({ meta_json = {}, request = {}, response = {}, messages = [], ...more }: Given) {
  const json = { meta_json, request, response, messages };
  const texts = Object.entries(json).map(([name, value]) => [name, JSON.stringify(value)]);
  return {
    ...{ id: 9, model: "policy", step_id: 2, status_code: 200, is_terminal: false },
    created_at: "2026-05-01T12:00:01.000Z",
    ...more,
    ...(Object.fromEntries(texts) as Pick<StoredCall, keyof typeof json & string>),
  } satisfies StoredCall;
}

const step = (given: Given, choice = 0): RecordedStep =>
  new RecordedStep(row(given), new EnginePrompts(), choice);

test("a row says what the step was, when, and whose", () => {
  const agent = { id: "a", parent: "main", kind: "review", request_kind: "turn" };
  const meta_json = {
    ...{ started_at: "2026-05-01T12:00:00.000Z", truncated: true, finish_reason: "stop" },
    ...{ prompt_tokens: 7, completion_tokens: 3, agent, side_call: "title", retry_of: 1 },
    replayed_from: { session_id: "s", step_id: 5, request_id: "r" },
    request_headers: { "x-a": "1" },
  };
  const given = { meta_json, is_terminal: true, is_truncated: true, history: "partial" as const };
  expect({ ...step({ ...given, response: { id: "resp" } }) }).toEqual({
    ...{ id: "policy/2", model: "policy", order: { began: 2, ended: 9 }, status_code: 200 },
    ...{ started_at: Date.UTC(2026, 4, 1, 12), ended_at: Date.UTC(2026, 4, 1, 12, 0, 1) },
    ...{ is_capture_truncated: true, is_terminal: true, is_truncated: true, versions: null },
    ...{ prompt_ids: null, completion_ids: null, logprobs: null, ids_missing: "api" },
    ...{ sampled_tokens: 3, finish_reason: "stop", response_id: "resp", tool_call_ids: [] },
    usage: { prompt_tokens: 7, completion_tokens: 3 },
    agent: { id: "a", parent: "main", kind: "review" },
    ...{ request_kind: "turn", side_call: "title", retry_of: "policy/1" },
    ...{ replayed_from: "s/policy/5", has_partial_history: true },
    headers: { step: "policy/2", request: { "x-a": "1" }, response: null },
  });
});

test("what a row does not say is null, and its end is its beginning", () => {
  const { started_at, ended_at, ...nothing } = step({});
  expect(started_at).toBe(ended_at);
  expect(nothing.usage).toStrictEqual({});
  expect(nothing).toMatchObject({
    ...{ is_capture_truncated: false, is_terminal: false, is_truncated: false, usage: {} },
    ...{ agent: null, request_kind: null, side_call: null, retry_of: null, replayed_from: null },
    ...{ has_partial_history: false, headers: null, finish_reason: null, response_id: null },
  });
  expect(step({ meta_json: { headers: { "x-b": "2" } } }).headers).toEqual({
    step: "policy/2",
    ...{ request: null, response: { "x-b": "2" } },
  });
  const unread = { ...row({}), meta_json: "{", request: null, response: null, messages: null };
  const { messages, answer, tools } = new RecordedStep(unread);
  expect([messages, answer, tools]).toEqual([null, [], null]);
});

describe("the messages and the answer of each API", () => {
  const question = { role: "user", content: "2 + 2?" };
  test.each<[string, Given, unknown, unknown, readonly string[]]>([
    [
      "chat completions",
      {
        messages: [question],
        response: { choices: [{ message: { role: "assistant", tool_calls: [{ id: "c1" }] } }] },
      },
      [question],
      [{ role: "assistant", tool_calls: [{ id: "c1" }] }],
      ["c1"],
    ],
    [
      "responses",
      {
        ...{ messages: "2 + 2?", request: { instructions: "be brief" } },
        meta_json: { endpoint: "responses" },
        response: { output: [{ type: "function_call", call_id: "c1", id: "fc" }] },
      },
      [{ role: "system", content: "be brief" }, question],
      [{ type: "function_call", call_id: "c1", id: "fc" }],
      ["c1"],
    ],
    [
      "messages",
      {
        ...{ messages: [question], request: { system: "be brief" } },
        meta_json: { endpoint: "messages" },
        response: { role: "assistant", content: [{ type: "tool_use", id: "c1" }] },
      },
      [{ role: "system", content: "be brief" }, question],
      [{ role: "assistant", content: [{ type: "tool_use", id: "c1" }] }],
      ["c1"],
    ],
    [
      "Google's",
      {
        messages: [question],
        response: { candidates: [{ content: { parts: [{ functionCall: { id: "c1" } }] } }] },
      },
      [question],
      [{ parts: [{ functionCall: { id: "c1" } }] }],
      ["c1"],
    ],
    ["an answer without a message", { response: { choices: [{}] } }, [], [], []],
    ["a candidate without content", { response: { candidates: [{}] } }, [], [], []],
    ["messages that are neither", { messages: { role: "user" } }, null, [], []],
  ])("%s", (_, given, messages, answer, tool_call_ids) => {
    const read = step(given);
    expect([read.messages, read.answer, read.tool_call_ids]).toEqual([
      messages,
      answer,
      tool_call_ids,
    ]);
  });
});

test("each choice has its own finish reason and the names of the steps it belongs to", () => {
  const choices = [{ finish_reason: "a" }, { finish_reason: "b" }];
  const meta_json = {
    finish_reason: "stop",
    retry_of: 1,
    replayed_from: { session_id: "s", step_id: 1 },
  };
  const read = [0, 1].map((choice) => step({ response: { choices }, meta_json }, choice));
  expect(
    read.map(({ id, finish_reason, retry_of, replayed_from }) => [
      id,
      finish_reason,
      retry_of,
      replayed_from,
    ]),
  ).toEqual([
    ["policy/2", "stop", "policy/1", "s/policy/1"],
    ["policy/2#2", "b", "policy/1#2", "s/policy/1#2"],
  ]);
});

test("the version at dispatch stands for all ids, unless the engine says its own", () => {
  const choice = { token_ids: [3, 4] };
  const meta_json = { weight_version: 7 };
  const response = { prompt_token_ids: [1], choices: [choice] };
  expect(step({ response, meta_json }).versions).toEqual([{ version: "7", start: 0, end: 2 }]);
  expect(step({ meta_json }).versions).toEqual([{ version: "7", start: 0, end: 0 }]);
  expect(step({ response }).versions).toBeNull();
});

test("a step that was replayed is continued under the name of the step that it replays", () => {
  const prompts = new EnginePrompts();
  const engine = (continues: string | null, ids: number[], token_ids: number[]) => ({
    engine: { prompt: { continues, ids }, token_ids },
  });
  const meta_json = {
    request_id: "r2",
    replayed_from: { session_id: "s", step_id: 1, request_id: "r1" },
  };
  const rows = [
    row({ response: engine(null, [1], [2]), meta_json }),
    row({ response: engine("r1", [3], [4]) }),
    row({ response: engine("r2", [5], [6]) }),
  ];
  const read = rows.map((stored) => new RecordedStep(stored, prompts));
  expect(read.map(({ prompt_ids }) => Array.from(prompt_ids ?? []))).toEqual([
    [1],
    [1, 2, 3],
    [1, 2, 5],
  ]);
});

test.each<[string, number | null, Given]>([
  ["what the upstream counted", 5, { meta_json: { completion_tokens: 5 } }],
  [
    "its log probabilities",
    2,
    {
      response: {
        choices: [
          {
            logprobs: {
              content: [
                { token: "a", logprob: -1 },
                { token: "b", logprob: -1 },
              ],
            },
          },
        ],
      },
    },
  ],
  [
    "those of each part of a text",
    3,
    { response: { output: [{ content: [{ logprobs: [{}, {}] }, { logprobs: [{}] }] }] } },
  ],
  ["nothing where the upstream refused", 0, { status_code: 502, response: null }],
  [
    "nobody knows of an answer that was cut off",
    null,
    { status_code: 502, meta_json: { upstream_status_code: 200 }, response: null },
  ],
  ["nobody knows of an answer without counts", null, { response: { choices: [{}] } }],
  [
    "what the upstream counted beside fewer ids",
    5,
    { response: { choices: [{ token_ids: [3, 4] }] }, meta_json: { completion_tokens: 5 } },
  ],
  [
    "its ids where the upstream counted fewer",
    2,
    { response: { choices: [{ token_ids: [3, 4] }] }, meta_json: { completion_tokens: 1 } },
  ],
])("the sampled tokens of a step are %s", (_, count, given) => {
  expect(step(given).sampled_tokens).toBe(count);
});

test("choices that nobody counted are counted once, as the first of them", () => {
  const given = { response: { choices: [{}, {}] }, meta_json: { completion_tokens: 5 } };
  expect([0, 1].map((choice) => step(given, choice).sampled_tokens)).toEqual([5, 0]);
});
