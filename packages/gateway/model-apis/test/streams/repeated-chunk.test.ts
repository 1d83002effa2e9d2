import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chatForm } from "../../src/chat-completions/chat-form.ts";
import type { AnswerFacts } from "../../src/facts/answer-facts.ts";
import { ChoiceStreamReader } from "../../src/streams/choice-stream-reader.ts";
import { RepeatedChunk } from "../../src/streams/repeated-chunk.ts";

const head = { id: "c1", object: "chat.completion.chunk", created: 1, model: "m" };

function repeated(chunk: object): RepeatedChunk | null {
  const json = JSON.stringify(chunk);
  return RepeatedChunk.of(JSON.parse(json), json);
}

const chunkOf = (delta: object, choice: object = {}, members: object = {}): object => {
  return { ...head, choices: [{ index: 0, delta, finish_reason: null, ...choice }], ...members };
};

describe("a chunk is recognised as a repetition", () => {
  test.each(["", " two", 'a "quote", a \\ and a\nline', "\u0000", "é 🙂", '","role":"tool'])(
    "with the text %j",
    (content) => {
      const first = repeated(chunkOf({ content: "one" }, { logprobs: null }, { usage: null }));
      const next = JSON.stringify(chunkOf({ content }, { logprobs: null }, { usage: null }));
      expect(first?.match(next)).toEqual({ choices: [{ index: 0, delta: { content } }] });
    },
  );

  test("with another member that grows", () => {
    const first = repeated(chunkOf({ content: null, reasoning_content: "one" }));
    const next = JSON.stringify(chunkOf({ content: null, reasoning_content: "two" }));
    const delta = { reasoning_content: "two" };
    expect(first?.match(next)).toEqual({ choices: [{ index: 0, delta }] });
  });

  test("where the text is also that of another member", () => {
    const first = repeated({ content: "one", ...chunkOf({ content: "one" }) });
    expect(first).toBeNull();
    const later = repeated({ ...chunkOf({ content: "one" }), content: "one" });
    const next = JSON.stringify({ ...chunkOf({ content: "two" }), content: "one" });
    expect(later?.match(next)).toEqual({ choices: [{ index: 0, delta: { content: "two" } }] });
  });
});

test.each([
  ["another id", { ...chunkOf({ content: "two" }), id: "c2" }],
  ["a finish reason", chunkOf({ content: "two" }, { finish_reason: "stop" })],
  ["another index", chunkOf({ content: "two" }, { index: 1 })],
  ["another member", chunkOf({ content: "two", refusal: "no" })],
  ["a part in place of the text", chunkOf({ content: ["two"] })],
  ["no text", chunkOf({})],
])("a chunk with %s is not a repetition", (_name, chunk) => {
  expect(repeated(chunkOf({ content: "one" }))?.match(JSON.stringify(chunk))).toBeNull();
});

test("text that is not a JSON string is not a repetition", () => {
  const [before, after] = JSON.stringify(chunkOf({ content: "@" })).split("@");
  for (const raw of ["\n", "\\x", "\\", 'a" "b', '","content":null,"a":"'])
    expect(repeated(chunkOf({ content: "one" }))?.match(`${before}${raw}${after}`)).toBeNull();
  // Less than the two quotes.
  expect(repeated(chunkOf({ content: "one" }))?.match(`${before}${after?.slice(1)}`)).toBeNull();
});

test.each([
  ["log probabilities", chunkOf({ content: "one" }, { logprobs: { content: [{ token: "one" }] } })],
  ["token ids", chunkOf({ content: "one" }, { token_ids: [1] })],
  ["usage", chunkOf({ content: "one" }, {}, { usage: { prompt_tokens: 1 } })],
  ["two texts", chunkOf({ content: "one", reasoning: "two" })],
  ["two choices", { choices: [{ delta: { content: "one" } }, { delta: { content: "two" } }] }],
  ["a tool call", chunkOf({ tool_calls: [{ index: 0, function: { arguments: "one" } }] })],
])("a chunk with %s cannot be repeated", (_name, chunk) => {
  expect(repeated(chunk)).toBeNull();
});

/** What a stream's chunks may have, alone and together. */
const delta = fc.oneof(
  { weight: 8, arbitrary: fc.record({ content: fc.string({ unit: "binary", maxLength: 9 }) }) },
  { weight: 1, arbitrary: fc.record({ reasoning: fc.string(), role: fc.constant("assistant") }) },
  { weight: 1, arbitrary: fc.record({ content: fc.constantFrom("", null), refusal: fc.string() }) },
  { weight: 1, arbitrary: fc.constant({ tool_calls: [{ index: 0, id: "t", function: {} }] }) },
);
const rarely = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 6, nil: undefined });
const chunk = fc.record({
  delta,
  index: rarely(fc.constant(1)),
  finish_reason: rarely(fc.constantFrom("stop", "length")),
  logprobs: rarely(fc.constantFrom(null, { content: [{ token: "a" }] })),
  fingerprint: rarely(fc.constantFrom("a", "b")),
  usage: rarely(fc.constantFrom(null, { prompt_tokens: 3, completion_tokens: 5 })),
  times: fc.integer({ min: 1, max: 3 }),
});

function factsOf(events: readonly string[]): AnswerFacts & { readonly said: string } {
  const reader = new ChoiceStreamReader(chatForm, { assemble: true, maxBytes: 1e6 });
  for (const event of [...events, "[DONE]"]) reader.push(Buffer.from(`data: ${event}\n\n`));
  const facts = reader.facts();
  return { ...facts, said: String(facts.text) };
}

test("a stream says the same whether its repetitions are recognised or not", () => {
  fc.assert(
    fc.property(fc.array(chunk, { minLength: 1, maxLength: 12 }), (drawn) => {
      const events = drawn.flatMap(({ times, index = 0, fingerprint, usage, delta, ...choice }) =>
        Array.from({ length: times }, () =>
          JSON.stringify({ ...head, fingerprint, usage, choices: [{ index, delta, ...choice }] }),
        ),
      );
      // White space that differs each time: none of these is a repetition.
      const different = events.map((event, at) => `{${" ".repeat(at)}${event.slice(1)}`);
      expect(factsOf(events)).toEqual(factsOf(different));
    }),
    { seed: 1, numRuns: 1_000 },
  );
});

test("only the last chunk can be repeated", () => {
  const event = (system_fingerprint: string, content: string): string =>
    JSON.stringify({ ...chunkOf({ content }), system_fingerprint });
  for (let unlike = 0; unlike < 12; unlike++) {
    const others = Array.from({ length: unlike }, (_, at) => event(`other ${at}`, "-"));
    const { said } = factsOf([...others, event("a", "1"), event("b", "2"), event("a", "3")]);
    expect(JSON.parse(said)).toMatchObject({ system_fingerprint: "a" });
  }
});
