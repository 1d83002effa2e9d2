import { expect, test } from "vitest";
import { chatForm } from "../../src/chat-completions/chat-form.ts";
import type { AnswerFacts } from "../../src/facts/answer-facts.ts";
import { ChoiceStreamReader } from "../../src/streams/choice-stream-reader.ts";

function read(events: readonly (string | object)[], maxBytes = 1e6): AnswerFacts {
  const reader = new ChoiceStreamReader(chatForm, { assemble: true, maxBytes });
  for (const event of events) {
    const data = typeof event === "string" ? event : JSON.stringify(event);
    reader.push(Buffer.from(`data: ${data}\n\n`));
  }
  return reader.facts();
}

function message(deltas: readonly object[]): unknown {
  const { text } = read(deltas.map((delta) => ({ choices: [{ index: 0, delta }] })));
  return JSON.parse(String(text)).choices[0].message;
}

test("without content and role, content is null and the role is assistant", () => {
  expect(message([{ refusal: "no" }])).toEqual({ role: "assistant", content: null, refusal: "no" });
  expect(message([{ content: "" }])).toEqual({ role: "assistant", content: "" });
});

test("content that comes in parts stays a list, and pieces of one kind are one part", () => {
  const thinking = (text: string): object => ({
    content: [{ type: "thinking", thinking: [{ type: "text", text }] }],
  });
  const text = (text: string): object => ({ content: [{ type: "text", text }] });
  const image = (url: string): object => ({ content: [{ type: "image_url", image_url: url }] });
  const { content } = message([
    { role: "assistant", content: "" },
    ...[thinking("Six "), thinking("sevens."), { content: "4" }, { content: "2" }, text(".")],
    ...[image("a"), image("b"), { content: "" }],
  ]) as { content: unknown };
  expect(content).toEqual([
    { type: "thinking", thinking: [{ type: "text", text: "Six sevens." }] },
    { type: "text", text: "42." },
    { type: "image_url", image_url: "a" },
    { type: "image_url", image_url: "b" },
  ]);
  expect(message([{ content: "See " }, image("a")])).toMatchObject({
    content: [
      { type: "text", text: "See " },
      { type: "image_url", image_url: "a" },
    ],
  });
});

test("tool calls without an index are told apart by id, and a piece without one continues the latest", () => {
  const call = (id: string | undefined, text: string): object => ({
    tool_calls: [{ id, type: "function", function: { arguments: text } }],
  });
  const { tool_calls } = message([
    call("a", "1"),
    call("b", "2"),
    call("a", "3"),
    call(undefined, "4"),
  ]) as {
    tool_calls: { id?: string; function: { arguments: string } }[];
  };
  expect(tool_calls.map((one) => [one.id, one.function.arguments])).toEqual([
    ["a", "134"],
    ["b", "2"],
  ]);
});

interface Call {
  readonly id?: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

const callsOf = (...pieces: readonly object[]): unknown => {
  const { tool_calls } = message(pieces.map((piece) => ({ tool_calls: [piece] }))) as {
    tool_calls: Call[];
  };
  return tool_calls.map(({ id, function: { name, arguments: text } }) => [id, name, text]);
};

test("parallel calls that share an index are told apart by their ids", () => {
  const begin = (id: string, name: string, text: string): object => {
    return { index: 0, id, type: "function", function: { name, arguments: text } };
  };
  expect(
    callsOf(
      begin("a", "f", '{"d":'),
      { index: 0, function: { arguments: "1}" } },
      begin("b", "f", '{"d":2}'),
      { index: 0, id: "a", function: { arguments: " " } },
    ),
  ).toEqual([
    ["a", "f", '{"d":1} '],
    ["b", "f", '{"d":2}'],
  ]);
});

test("a call's pieces without index and id are one call, and a name after a whole call begins another", () => {
  const piece = (text: string, name?: string): object => {
    return { function: { ...(name === undefined ? {} : { name }), arguments: text } };
  };
  const { id: _, ...unnamed } = { id: "c1", index: null };
  expect(callsOf({ id: "c1", ...piece("{", "f") }, { ...unnamed, ...piece('"a":1}') })).toEqual([
    ["c1", "f", '{"a":1}'],
  ]);
  expect(
    callsOf(piece('{"a":1}', "f"), piece('{"a":2}', "f"), piece("", "g"), piece("{}")),
  ).toEqual([
    [undefined, "f", '{"a":1}'],
    [undefined, "f", '{"a":2}'],
    [undefined, "g", "{}"],
  ]);
  // A name with every piece is the same call's.
  expect(callsOf(piece('{"a":', "f"), piece("1}", "f"), piece("", "f"))).toEqual([
    [undefined, "f", '{"a":1}'],
  ]);
});

test("a name comes in pieces, or whole with every piece", () => {
  const piece = (name: string): object => ({ index: 0, id: "a", function: { name } });
  const nameOf = (...names: string[]): unknown => message([{ tool_calls: names.map(piece) }]);
  expect(nameOf("get_", "weather")).toMatchObject({
    tool_calls: [{ function: { name: "get_weather" } }],
  });
  expect(nameOf("search", "search")).toMatchObject({
    tool_calls: [{ function: { name: "search" } }],
  });
});

test("blocks of thinking in pieces are one block each, up to its signature", () => {
  const block = (thinking: string, signature = ""): object => {
    return { thinking_blocks: [{ type: "thinking", thinking, signature }] };
  };
  const redacted = { type: "redacted_thinking", data: "x" };
  expect(
    message([
      block("Step "),
      block("1."),
      block("", "s1"),
      block("2", "s2"),
      { thinking_blocks: [redacted] },
    ]),
  ).toMatchObject({
    thinking_blocks: [
      { type: "thinking", thinking: "Step 1.", signature: "s1" },
      { type: "thinking", thinking: "2", signature: "s2" },
      redacted,
    ],
  });
});

test("chunks with an empty id, an empty model and no time change none of them", () => {
  const empty = { id: "", object: "", created: 0, model: "", choices: [] };
  const { text } = read([
    empty,
    { id: "c1", created: 9, model: "m", choices: [{ index: 0, delta: { content: "x" } }] },
    empty,
  ]);
  expect(JSON.parse(String(text))).toMatchObject({
    ...{ id: "c1", object: "chat.completion", created: 9, model: "m" },
  });
});

test("numbers by their names are read as Python reads them", () => {
  const facts = read([
    '{"id":"NaN\\"","choices":[{"index":0,"delta":{"content":"Infinity"},"logprobs":{"content":[{"logprob":-Infinity},{"logprob":NaN}]}}]}',
  ]);
  expect(facts).toMatchObject({ truncated: false, unreadable: null });
  expect(JSON.parse(String(facts.text))).toMatchObject({
    id: 'NaN"',
    choices: [
      {
        message: { content: "Infinity" },
        logprobs: { content: [{ logprob: -Infinity }, { logprob: null }] },
      },
    ],
  });
});

test("tool calls and choices are ordered by index, whatever order they came in", () => {
  const { tool_calls } = message([
    { tool_calls: [{ index: 1, id: "b", function: { name: "g" } }] },
    { tool_calls: [{ index: 0, id: "a", function: { name: "f" } }] },
  ]) as { tool_calls: object[] };
  expect(tool_calls).toEqual([
    { id: "a", function: { name: "f" } },
    { id: "b", function: { name: "g" } },
  ]);
  const { text } = read([
    { choices: [{ index: 1, delta: { content: "b" } }] },
    { choices: [{ index: 0, delta: { content: "a" } }] },
  ]);
  expect(JSON.parse(String(text)).choices.map((choice: { index: number }) => choice.index)).toEqual(
    [0, 1],
  );
});

test("separately padded pieces of audio are joined as bytes", () => {
  const pieces = ["a", "bc", "def"].map((part) => ({
    audio: { data: Buffer.from(part).toString("base64") },
  }));
  expect(message(pieces)).toMatchObject({
    audio: { data: Buffer.from("abcdef").toString("base64") },
  });
});

test("reasoning details with one index and two types stay separate", () => {
  const details = message([
    { reasoning_details: [{ index: 0, type: "reasoning.text", text: "a" }] },
    { reasoning_details: [{ index: 0, text: "b" }] },
    { reasoning_details: [{ index: 0, type: "reasoning.encrypted", data: "x" }] },
  ]);
  expect(details).toMatchObject({
    reasoning_details: [
      { index: 0, type: "reasoning.text", text: "ab" },
      { index: 0, type: "reasoning.encrypted", data: "x" },
    ],
  });
});

test("the first non-null id and name count, and the last non-null reason, usage and tier", () => {
  const { text, finish_reason, prompt_tokens } = read([
    {
      id: "",
      choices: [{ index: 0, delta: {}, finish_reason: null }],
      usage: { prompt_tokens: 1 },
    },
    {
      id: "c1",
      service_tier: "default",
      choices: [{ index: 0, delta: {}, finish_reason: "stop", native: "end" }],
    },
    {
      id: "c2",
      service_tier: null,
      choices: [{ index: 0, delta: {}, finish_reason: null, native: null }],
      usage: { prompt_tokens: 9 },
    },
    { choices: [], usage: null, obfuscation: "x" },
  ]);
  expect({ finish_reason, prompt_tokens }).toEqual({ finish_reason: "stop", prompt_tokens: 9 });
  expect(JSON.parse(String(text))).toEqual({
    object: "chat.completion",
    id: "c1",
    service_tier: "default",
    usage: { prompt_tokens: 9 },
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: null },
        finish_reason: "stop",
        native: "end",
      },
    ],
  });
});

test("large numbers keep their digits, and unusual keys stay members", () => {
  const { text } = read([
    '{"id":"c","seed":12345678901234567890,"__proto__":{"x":-98765432109876543210},"choices":[{"delta":{},"token_ids":[9007199254740993]}]}',
  ]);
  expect(String(text)).toContain('"seed":12345678901234567890');
  expect(String(text)).toContain('"__proto__":{"x":-98765432109876543210}');
  expect(String(text)).toContain('"token_ids":[9007199254740993]');
});

test("an endlessly nested value does no harm", () => {
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  const { text, finish_reason } = read([
    `{"deep":${deep},"seed":12345678901234567890,"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]}`,
  ]);
  expect(finish_reason).toBe("stop");
  expect(JSON.parse(String(text)).choices[0].message.content).toBe("x");
});

test("members of an unexpected kind count until one of the expected kind comes", () => {
  expect(message([{ content: [{ type: "text", text: "x" }] }])).toMatchObject({
    content: [{ type: "text", text: "x" }],
  });
  expect(message([{ content: ["x"] }, { content: "y" }])).toMatchObject({ content: "y" });
  expect(message([{ tool_calls: null }, { audio: "x" }])).toMatchObject({
    tool_calls: null,
    audio: "x",
  });
});

test("the kept part is bounded, without gaps, and the end is still recognised", () => {
  const parts = Array.from({ length: 100 }, (_, at) => `${at % 10}`.repeat(100));
  const facts = read(
    [
      ...parts.map((content) => ({ choices: [{ index: 0, delta: { content } }] })),
      { choices: [{ index: 0, delta: { content: "!" }, finish_reason: "stop" }] },
      { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } },
    ],
    2_000,
  );
  expect(facts).toMatchObject({
    truncated: true,
    complete: true,
    finish_reason: "stop",
    completion_tokens: 2,
  });
  const { choices, usage } = JSON.parse(String(facts.text));
  const { content } = choices[0].message;
  expect(content.length).toBeGreaterThan(1_000);
  expect(content.length).toBeLessThanOrEqual(2_000);
  expect(content).toBe(parts.slice(0, content.length / 100).join(""));
  expect(choices[0].finish_reason).toBe("stop");
  expect(usage).toEqual({ prompt_tokens: 1, completion_tokens: 2 });
});

test("an event larger than the bound is relayed unread", () => {
  const reader = new ChoiceStreamReader(chatForm, { assemble: true, maxBytes: 1_000 });
  const large = Buffer.from(
    `data: ${JSON.stringify({ choices: [{ delta: { content: "x".repeat(2e6) } }] })}\n\n`,
  );
  let passed = 0;
  for (let at = 0; at < large.length; at += 65_536) {
    const chunk = large.subarray(at, at + 65_536);
    for (const part of reader.push(chunk)) passed += part.length;
  }
  expect(passed).toBe(large.length);
  const last = Buffer.from(
    'data: {"choices":[{"index":0,"delta":{"content":"y"},"finish_reason":"stop"}]}\n\n',
  );
  reader.push(last);
  expect(reader.facts()).toMatchObject({ truncated: true, complete: true });
});
