import Anthropic from "@anthropic-ai/sdk";
import fc from "fast-check";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { LiveChat } from "../src/chat-completions/live-chat.ts";
import { endpointsByName } from "../src/endpoints.ts";
import { LiveContent } from "../src/generate-content/live-content.ts";
import type { AnswerEnd, AnswerHead, AnswerPiece, LiveAnswer } from "../src/live-answer.ts";
import { LiveMessage } from "../src/messages/live-message.ts";
import type { EndpointName } from "../src/names.ts";
import { LiveResponse } from "../src/responses/live-response.ts";

// What the official client accumulates from the stream, what a row assembles from it, and the answer that the same
// request gets whole are equal.

interface Generated {
  readonly pieces: readonly AnswerPiece[];
  readonly end: AnswerEnd;
}

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 });
const block = fc.oneof(
  fc.record({
    kind: fc.constantFrom("text" as const, "reasoning" as const),
    texts: fc.array(text, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    kind: fc.constant("call" as const),
    name: fc.constantFrom("look_up", "press"),
    input: fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }),
    cuts: fc.integer({ min: 1, max: 7 }),
  }),
);

const generated: fc.Arbitrary<Generated> = fc
  .record({
    blocks: fc.array(block, { maxLength: 6 }),
    finish: fc.constantFrom("stop" as const, "length" as const, "content_filter" as const),
    stop_sequence: fc.option(fc.constant("END"), { freq: 5 }),
    prompt_tokens: fc.nat(99),
    completion_tokens: fc.nat(99),
  })
  .map(({ blocks, finish, stop_sequence, prompt_tokens, completion_tokens }) => {
    let calls = 0;
    const pieces = blocks.flatMap((each): AnswerPiece[] => {
      const { kind } = each;
      if (kind !== "call") return each.texts.map((text) => ({ kind, text }));
      const call = calls;
      calls += 1;
      const json = JSON.stringify(each.input);
      const parts: AnswerPiece[] = [];
      for (let at = 0; at < json.length; at += each.cuts)
        parts.push({ kind: "arguments", call, text: json.slice(at, at + each.cuts) });
      return [{ kind: "tool_call", call, id: `call_${call}`, name: each.name }, ...parts];
    });
    const usage = {
      prompt_tokens,
      cached_tokens: Math.min(3, prompt_tokens),
      completion_tokens,
      reasoning_tokens: 0,
    };
    const ended = finish === "stop" && calls > 0 ? ("tool_calls" as const) : finish;
    return {
      pieces,
      end: { finish: ended, stop_sequence: ended === "stop" ? stop_sequence : null, usage },
    };
  });

const head: AnswerHead = {
  request_id: "1",
  model: "m",
  created: 1_700_000_000,
  request: {
    stream_options: { include_usage: true },
    generationConfig: { thinkingConfig: { includeThoughts: true } },
  },
  prompt_tokens: 7,
};

function write(answer: LiveAnswer, { pieces, end }: Generated): { bytes: Buffer; whole: unknown } {
  const events = [answer.begin(), ...pieces.map((piece) => answer.piece(piece)), answer.end(end)];
  return { bytes: Buffer.from(events.join("")), whole: JSON.parse(JSON.stringify(answer.whole())) };
}

function recorded(name: EndpointName, bytes: Buffer): unknown {
  const reader = endpointsByName[name].openStream?.({ assemble: true, maxBytes: 1e6 });
  reader?.push(bytes);
  reader?.end();
  expect(reader?.complete).toBe(true);
  return JSON.parse(String(reader?.facts().text));
}

const fetchOf = (bytes: Buffer) => async () =>
  new Response(new Uint8Array(bytes), { headers: { "content-type": "text/event-stream" } });
const openai = (bytes: Buffer) => new OpenAI({ apiKey: "none", fetch: fetchOf(bytes) });

/** Members that the clients' helpers add. */
const added = ["parsed", "parsed_arguments", "output_parsed", "output_text", "parsed_output"];
const own = (held: unknown): unknown =>
  JSON.parse(JSON.stringify(held, (name, value) => (added.includes(name) ? undefined : value)));

test("a message", async () => {
  await fc.assert(
    fc.asyncProperty(generated, async (answer) => {
      const { bytes, whole } = write(new LiveMessage(head), answer);
      const client = new Anthropic({ apiKey: "none", fetch: fetchOf(bytes) });
      const asked = { model: "m", max_tokens: 9, messages: [] };
      expect(own(await client.messages.stream(asked).finalMessage())).toEqual(whole);
      expect(recorded("messages", bytes)).toEqual(whole);
    }),
    { numRuns: 100 },
  );
});

test("a chat completion", async () => {
  await fc.assert(
    fc.asyncProperty(generated, async (answer) => {
      const { bytes, whole } = write(new LiveChat(head), answer);
      expect(recorded("chat_completions", bytes)).toEqual(whole);
      // The client keeps only the last piece of members that OpenAI does not have.
      const { reasoning_content: _, ...message } = messageOf(whole);
      const held = own(
        await openai(bytes)
          .chat.completions.stream({ model: "m", messages: [] })
          .finalChatCompletion(),
      );
      const { reasoning_content: __, ...heldMessage } = messageOf(held);
      expect(heldMessage).toEqual(message);
      expect({ ...(held as object), choices: [] }).toEqual({ ...(whole as object), choices: [] });
    }),
    { numRuns: 100 },
  );
});

const messageOf = (completion: unknown): Record<string, unknown> =>
  (completion as { choices: { message: Record<string, unknown> }[] }).choices[0]?.message ?? {};

test("a response", async () => {
  await fc.assert(
    fc.asyncProperty(generated, async (answer) => {
      const { bytes, whole } = write(new LiveResponse(head), answer);
      expect(
        own(await openai(bytes).responses.stream({ model: "m", input: "" }).finalResponse()),
      ).toEqual(whole);
      expect(recorded("responses", bytes)).toEqual(whole);
    }),
    { numRuns: 100 },
  );
});

test("an answer of Google's API", () => {
  fc.assert(
    fc.property(generated, fc.boolean(), (answer, includeThoughts) => {
      const request = { generationConfig: { thinkingConfig: { includeThoughts } } };
      const { bytes, whole } = write(new LiveContent({ ...head, request }), answer);
      if (!includeThoughts) expect(JSON.stringify(whole)).not.toContain('"thought":');
      expect(recorded("generate_content", bytes)).toEqual(whole);
    }),
    { numRuns: 100 },
  );
});

test("every event of a response says what the whole one says", () => {
  fc.assert(
    fc.property(generated, ({ pieces, end }) => {
      const answer = new LiveResponse(head);
      const events = [
        answer.begin(),
        ...pieces.map((piece) => answer.piece(piece)),
        answer.end(end),
      ].join("");
      // A text may contain what a pattern takes for the end of a line.
      const items = events
        .split("\n")
        .flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6))] : []))
        .filter(({ type }) => type === "response.output_item.done");
      const { output } = answer.whole() as { output: { status?: string }[] };
      expect(items.map(({ item }) => ({ ...item, status: "" }))).toEqual(
        output.map((item) => ({ ...item, status: "" })),
      );
    }),
  );
});

test("a custom tool's text is taken out of the model's JSON", () => {
  const request = { tools: [{ type: "custom", name: "apply_patch" }] };
  const answer = new LiveResponse({ ...head, request });
  answer.begin();
  answer.piece({ kind: "tool_call", call: 0, id: "c", name: "apply_patch" });
  answer.piece({ kind: "arguments", call: 0, text: '{"input":"*** Begin\\n' });
  answer.piece({ kind: "arguments", call: 0, text: 'Patch"}' });
  const usage = { prompt_tokens: 1, cached_tokens: 0, completion_tokens: 1, reasoning_tokens: 0 };
  const events = answer.end({ finish: "tool_calls", stop_sequence: null, usage });
  expect(events).toContain('"input":"*** Begin\\nPatch"');
  expect(answer.whole()).toMatchObject({
    output: [{ type: "custom_tool_call", name: "apply_patch" }],
  });
});

test.each(["chat_completions", "messages", "responses", "generate_content"] as const)(
  "%s: an answer that is given back reads as the model wrote it",
  (name) => {
    const { chat, history } = endpointsByName[name];
    if (chat === null || history === null) throw new Error("it is not translated");
    fc.assert(
      fc.property(generated, (drawn) => {
        const answer = chat.open(head);
        write(answer, drawn);
        const given = JSON.parse(JSON.stringify(chat.givenBack(answer.whole())));
        const { messages } = chat.read({ [history]: given });
        const [message] = messages;
        const saidBy = (kind: string): string =>
          drawn.pieces
            .flatMap((piece) => (piece.kind === kind && "text" in piece ? [piece.text] : []))
            .join("");
        const calls = drawn.pieces.flatMap((piece) => (piece.kind === "tool_call" ? [piece] : []));
        if (given.length > 0) expect(messages).toHaveLength(1);
        const bare = (text: unknown): string => String(text ?? "").replaceAll("\n", "");
        expect(bare(message?.content)).toBe(bare(saidBy("text")));
        expect(bare(message?.reasoning_content)).toBe(bare(saidBy("reasoning")));
        expect(message?.tool_calls?.map(({ id, function: { name } }) => [id, name]) ?? []).toEqual(
          calls.map(({ id, name }) => [id, name]),
        );
      }),
    );
  },
);
