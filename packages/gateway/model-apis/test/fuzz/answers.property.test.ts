import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeContent } from "../../src/decoding/index.ts";
import { type EndpointName, endpointsByName, readPlainAnswer } from "../../src/index.ts";
import { parseJson, writeJson } from "../../src/json/index.ts";
import { completions } from "../streams/chat-completions.ts";
import { cut, Dice, manners, writeEvents } from "../streams/event-stream-writer.ts";
import { messages } from "../streams/model-messages.ts";
import { responses } from "../streams/model-responses.ts";
import type { Json } from "./official-client.ts";

// What a row has of a plain answer is what clients hold of it: JavaScript's read it with TextDecoder and JSON.parse,
// Python's also read numbers by their names.

const codings: readonly (readonly [string, (bytes: Buffer) => Buffer])[] = [
  ["", (bytes) => bytes],
  ["none", (bytes) => bytes],
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["deflate", deflateRawSync],
  ["br", brotliCompressSync],
  ["zstd", zstdCompressSync],
  ["gzip, identity, br", (bytes) => brotliCompressSync(gzipSync(bytes))],
];

const count = fc.nat(1_000_000);
const text = fc.string({ unit: "grapheme", maxLength: 20 });
const usage = fc.record({ prompt_tokens: count, completion_tokens: count });
const textAnswers: fc.Arbitrary<Json> = fc.record({
  id: text,
  object: fc.constant("text_completion"),
  choices: fc.array(
    fc.record({ index: fc.nat(3), text, finish_reason: fc.constantFrom("stop", "length", null) }),
    { maxLength: 3 },
  ),
  usage,
});
const vectors: fc.Arbitrary<Json> = fc.record({
  object: fc.constant("list"),
  data: fc.array(fc.record({ index: fc.nat(3), embedding: fc.array(fc.double({ noNaN: true })) }), {
    maxLength: 3,
  }),
  usage: fc.record({ prompt_tokens: count, total_tokens: count }),
});

type TextChoice = Json & { readonly text: string; readonly finish_reason: string | null };

interface Api {
  readonly api: EndpointName;
  readonly answers: fc.Arbitrary<Json>;
  /** Whether a client would find something in it. */
  readonly says: (answer: Json) => boolean;
}

type Choices = readonly (Json & { readonly finish_reason: string | null })[];
const saysChoice = ({ choices }: Json): boolean =>
  (choices as Choices).some(
    ({ finish_reason, text: said, message }) =>
      finish_reason !== null ||
      String(said ?? "") !== "" ||
      Object.entries((message ?? {}) as Json).some(
        ([name, value]) => name !== "role" && String(value ?? "") !== "",
      ),
  );
const apis: readonly Api[] = [
  { api: "chat_completions", answers: completions.map((it) => ({ ...it })), says: saysChoice },
  { api: "completions", answers: textAnswers, says: saysChoice },
  {
    api: "messages",
    answers: messages.map((it) => ({ ...it })),
    says: ({ content, stop_reason }) => (content as object[]).length > 0 || stop_reason !== null,
  },
  {
    api: "responses",
    answers: responses.map((it) => ({ ...it })),
    says: ({ output, status }) => (output as object[]).length > 0 && status !== "failed",
  },
  {
    api: "embeddings",
    answers: vectors,
    says: ({ data }) => (data as object[]).length > 0,
  },
];

/** A way in which a body differs from JSON in UTF-8. */
const marks = fc.constantFrom("nothing", "a byte order mark", "a bad byte", "named numbers");

function marked(answer: Json, mark: string, indent: number): Buffer {
  const whole =
    mark === "named numbers" ? { ...answer, odd: ["@Infinity", "@-Infinity", "@NaN"] } : answer;
  const json = JSON.stringify(whole, null, indent).replaceAll(/"@(-?Infinity|NaN)"/g, "$1");
  const bytes = Buffer.from(json);
  if (mark === "a byte order mark") return Buffer.concat([Buffer.from("\uFEFF"), bytes]);
  // In a member of its own, so that it is in a string.
  if (mark !== "a bad byte") return bytes;
  const before = Buffer.from('{"odd":"a');
  return Buffer.concat([
    before,
    Buffer.from([0xff]),
    Buffer.from('b",'),
    bytes.subarray(bytes.indexOf("{") + 1),
  ]);
}

describe.each(apis)("$api", ({ api, answers, says }) => {
  test("600 plain answers in the forms of the world", async () => {
    await fc.assert(
      fc.asyncProperty(
        answers,
        marks,
        fc.constantFrom(0, 1),
        fc.constantFrom(...codings),
        async (answer, mark, indent, [header, encode]) => {
          const bytes = marked(answer, mark, indent);
          const decoded = await decodeContent(encode(bytes), header, 1e7);
          expect(Buffer.compare(decoded, bytes)).toBe(0);
          const facts = readPlainAnswer(decoded, endpointsByName[api].readFacts, false);
          const text = new TextDecoder().decode(facts.text ?? undefined);
          // Numbers by their names become null and numbers that JSON.parse takes for infinity.
          const { odd, ...read } = JSON.parse(writeJson(parseJson(text))) as Json;
          // As a client would have it, not as it was sent: JSON has no -0.
          expect(read).toEqual(JSON.parse(JSON.stringify(answer)));
          if (mark === "a bad byte") expect(odd).toBe("a\uFFFDb");
          if (mark === "named numbers") expect(odd).toEqual([Infinity, -Infinity, null]);
          expect(facts).toMatchObject({ complete: true, truncated: false });
          if (!["queued", "in_progress"].includes(String(answer.status)))
            expect(facts.no_answer === null).toBe(says(answer));
        },
      ),
      { numRuns: 600 },
    );
  });
});

test("600 streams of completions hold what was sent, in whatever pieces", () => {
  fc.assert(
    fc.property(textAnswers, fc.integer(), manners, (answer, seed, manner) => {
      const dice = new Dice(seed);
      const indexes = (answer.choices as TextChoice[]).map((choice, index) => ({
        ...choice,
        index,
      }));
      const { usage: counts, choices: _, ...members } = answer;
      const pieces = indexes.flatMap(({ text: said, finish_reason, index }) => {
        const at = dice.roll(said.length + 1);
        const parts = [said.slice(0, at), said.slice(at)].map((part) => ({
          index,
          text: part,
          finish_reason: null,
        }));
        return [...parts, { index, text: "", finish_reason }];
      });
      const events = [
        ...pieces.map((choice) => ({ ...members, choices: [choice] })),
        { ...members, choices: [], usage: counts },
        "[DONE]",
      ];
      const { bytes } = writeEvents(events, manner);
      const reader = endpointsByName.completions.openStream?.({ assemble: true, maxBytes: 1e6 });
      if (reader == null) throw new Error("completions do not stream");
      const passed = cut(bytes, manner).flatMap((piece) => [...reader.push(piece)]);
      expect(Buffer.concat([...passed, ...reader.tail()]).equals(bytes)).toBe(true);
      reader.end();
      const facts = reader.facts();
      const held = JSON.parse(String(facts.text));
      expect(held.choices).toEqual(indexes.map((choice) => ({ ...choice, logprobs: null })));
      expect(held.usage).toEqual(counts);
      expect(facts).toMatchObject({ complete: true, error: null, ...(counts as object) });
      expect(facts.no_answer === null).toBe(saysChoice({ choices: indexes }));
    }),
    { numRuns: 600 },
  );
});
