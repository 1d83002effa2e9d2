import { MessageStream } from "@anthropic-ai/sdk/lib/MessageStream";
import { type MessageBlock, messageEvents, messageObject } from "@proj/test-kit";
import fc from "fast-check";
import { expect, test } from "vitest";
import { MessageStreamReader } from "../../src/endpoints/messages/message-stream-reader.ts";
import { cut, manners } from "./event-stream-writer.ts";

const options = { assemble: true, maxBytes: 1e6 };
const text = fc.string({ unit: "grapheme", maxLength: 20 });
const citation = fc.record({ type: fc.constant("char_location"), cited_text: text });

const block: fc.Arbitrary<MessageBlock> = fc.oneof(
  fc.record({
    type: fc.constant("text" as const),
    text,
    citations: fc.option(fc.array(citation, { minLength: 1, maxLength: 2 })),
  }),
  fc.record({ type: fc.constant("thinking" as const), thinking: text, signature: text }),
  fc.record({ type: fc.constant("redacted_thinking" as const), data: text }),
  fc.record({
    type: fc.constantFrom("tool_use" as const, "server_tool_use" as const),
    id: text,
    name: text,
    input: fc.dictionary(
      text.filter((key) => key !== "__proto__"),
      fc.jsonValue(),
    ),
  }),
  fc.record({
    type: fc.constantFrom("web_search_tool_result" as const, "a_block_to_come" as const),
    tool_use_id: text,
    content: fc.jsonValue(),
  }),
);

const messages = fc
  .record({
    content: fc.array(block, { maxLength: 4 }),
    stop_reason: fc.constantFrom("end_turn", "tool_use", "refusal", "pause_turn", "stop_sequence"),
    stop_sequence: fc.option(text),
  })
  .map(messageObject);

/** What the official client holds at the end of a stream. */
async function accumulated(events: readonly object[]): Promise<unknown> {
  const lines = events.map((event) => `${JSON.stringify(event)}\n`).join("");
  const body = new Response(lines).body;
  if (body === null) throw new Error("there is no body");
  const message = await MessageStream.fromReadableStream(body).finalMessage();
  // The client's own helper adds a member, and the API does not.
  const own = (name: string, value: unknown): unknown =>
    name === "parsed_output" ? undefined : value;
  return JSON.parse(JSON.stringify(message, own));
}

test("a streamed message is assembled as it was, and as the official client holds it, at any cut", async () => {
  await fc.assert(
    fc.asyncProperty(
      messages,
      fc.integer({ min: 1, max: 6 }),
      manners,
      async (message, length, manner) => {
        const events = [...messageEvents(message, length)].map(([type, rest]) => ({
          type,
          ...rest,
        }));
        const bytes = Buffer.from(
          events
            .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
            .join(""),
        );
        const lastEventStart = bytes.lastIndexOf("event: message_stop");
        const reader = new MessageStreamReader(options);
        const passed = cut(bytes, manner).flatMap((piece) => [...reader.push(piece)]);
        expect(Buffer.concat(passed)).toEqual(bytes.subarray(0, lastEventStart));
        expect(Buffer.concat([...passed, ...reader.tail()])).toEqual(bytes);
        reader.end();
        expect(reader).toMatchObject({ terminal: true, complete: true, error: null });

        const facts = reader.facts();
        const held = JSON.parse(String(facts.text));
        expect(held).toEqual(JSON.parse(JSON.stringify(message)));
        expect(await accumulated(events)).toEqual(held);
        expect(facts).toMatchObject({
          truncated: false,
          finish_reason: message.stop_reason,
          prompt_tokens: 11,
          completion_tokens: 5,
        });
      },
    ),
    { numRuns: 100 },
  );
});
