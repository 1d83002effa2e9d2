import Anthropic from "@anthropic-ai/sdk";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { AnswerFacts } from "../../src/facts/answer-facts.ts";
import { MessageStreamReader } from "../../src/messages/message-stream-reader.ts";
import { type Manner, manners } from "./event-stream-writer.ts";
import { streamMessage } from "./message-stream-writer.ts";
import { messages } from "./model-messages.ts";
import { readWhole } from "./read-whole.ts";

// A row holds what Anthropic's own client holds at the end of the same stream.

const options = { assemble: true, maxBytes: 1e6 };
const asked = {
  ...{ model: "m", max_tokens: 9 },
  messages: [{ role: "user" as const, content: "Hello" }],
};

/** The client, which gets these bytes for its request. */
function clientOf(bytes: Buffer): Anthropic {
  const headers = { "content-type": "text/event-stream" };
  const body = new Uint8Array(bytes);
  return new Anthropic({ apiKey: "none", fetch: async () => new Response(body, { headers }) });
}

/** Without the member that the client's helper adds to the API's own. */
const own = (held: unknown): unknown =>
  JSON.parse(JSON.stringify(held, (name, value) => (name === "parsed_output" ? undefined : value)));

/** The stream's bytes, and what the reader has at its end. */
function readStream(
  events: readonly Readonly<Record<string, unknown>>[],
  manner: Manner,
): { readonly bytes: Buffer; readonly facts: AnswerFacts; readonly held: unknown } {
  const bytes = Buffer.from(
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""),
  );
  const reader = new MessageStreamReader(options);
  readWhole(reader, bytes, bytes.lastIndexOf("event: message_stop"), manner);
  const facts = reader.facts();
  return { bytes, facts, held: JSON.parse(String(facts.text)) };
}

test("a streamed message is assembled exactly, as by the official client, at any cut", async () => {
  await fc.assert(
    fc.asyncProperty(messages, fc.integer(), manners, async (message, seed, manner) => {
      const { bytes, facts, held } = readStream(streamMessage(message, seed), manner);
      expect(held).toEqual(JSON.parse(JSON.stringify(message)));
      const { messages: stable, beta } = clientOf(bytes);
      expect(own(await stable.stream(asked).finalMessage())).toEqual(held);
      expect(own(await beta.messages.stream(asked).finalMessage())).toEqual(held);
      const { usage } = message;
      expect(facts).toMatchObject({
        truncated: false,
        finish_reason: message.stop_reason,
        prompt_tokens:
          usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens,
        completion_tokens: usage.output_tokens,
      });
    }),
    { numRuns: 100 },
  );
});

const hop = fc
  .tuple(fc.constantFrom("alias", "m-1"), fc.constantFrom("m-2", "m-3"))
  .map(([from, to]) => ({
    type: "fallback" as const,
    from: { model: from },
    to: { model: to },
    trigger: { type: "refusal", category: null },
  }));

test("a message that other models went on with is labelled with the last, as by the official client", async () => {
  await fc.assert(
    fc.asyncProperty(
      messages,
      hop,
      hop,
      fc.integer(),
      manners,
      async (begun, one, two, seed, manner) => {
        const content = [one, ...begun.content, two];
        const { bytes, facts, held } = readStream(
          streamMessage({ ...begun, content }, seed),
          manner,
        );
        expect(held).toEqual(
          JSON.parse(JSON.stringify({ ...begun, content, model: two.to.model })),
        );
        const { beta } = clientOf(bytes);
        expect(own(await beta.messages.stream(asked).finalMessage())).toEqual(held);
        expect(facts.response_model).toBe(two.to.model);
      },
    ),
    { numRuns: 50 },
  );
});
