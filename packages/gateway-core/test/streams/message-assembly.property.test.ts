import Anthropic from "@anthropic-ai/sdk";
import fc from "fast-check";
import { expect, test } from "vitest";
import { MessageStreamReader } from "../../src/endpoints/messages/message-stream-reader.ts";
import { manners } from "./event-stream-writer.ts";
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

test("a streamed message is assembled exactly, as by the official client, at any cut", async () => {
  await fc.assert(
    fc.asyncProperty(messages, fc.integer(), manners, async (message, seed, manner) => {
      const bytes = Buffer.from(
        streamMessage(message, seed)
          .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
          .join(""),
      );
      const lastEventStart = bytes.lastIndexOf("event: message_stop");
      const reader = new MessageStreamReader(options);
      readWhole(reader, bytes, lastEventStart, manner);

      const facts = reader.facts();
      const held = JSON.parse(String(facts.text));
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
