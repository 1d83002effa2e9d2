import { MessageStream } from "@anthropic-ai/sdk/lib/MessageStream";
import { messageEvents } from "@proj/test-kit";
import fc from "fast-check";
import { expect, test } from "vitest";
import { MessageStreamReader } from "../../src/endpoints/messages/message-stream-reader.ts";
import { cut, manners } from "./event-stream-writer.ts";
import { messages } from "./model-messages.ts";

const options = { assemble: true, maxBytes: 1e6 };
/** What the official client has at the end of a stream. */
async function accumulated(events: readonly object[]): Promise<unknown> {
  const lines = events.map((event) => `${JSON.stringify(event)}\n`).join("");
  const body = new Response(lines).body;
  if (body === null) throw new Error("there is no body");
  const message = await MessageStream.fromReadableStream(body).finalMessage();
  // The client's helper adds a member that the API does not send.
  const own = (name: string, value: unknown): unknown =>
    name === "parsed_output" ? undefined : value;
  return JSON.parse(JSON.stringify(message, own));
}

test("a streamed message is assembled exactly, as by the official client, at any cut", async () => {
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
