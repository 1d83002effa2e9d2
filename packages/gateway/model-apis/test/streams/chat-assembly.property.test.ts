import fc from "fast-check";
import { expect, test } from "vitest";
import { chatForm } from "../../src/chat-completions/chat-form.ts";
import { ChoiceStreamReader } from "../../src/streams/choice-stream-reader.ts";
import { completions } from "./chat-completions.ts";
import { streamCompletion } from "./chat-stream-writer.ts";
import { cut, manners, writeEvents } from "./event-stream-writer.ts";

const options = { assemble: true, maxBytes: 1e6 };
const doneLines = ["data: [DONE]", "data:[DONE]"];

test("a streamed completion is assembled as the one that was streamed, and passes unchanged", () => {
  fc.assert(
    fc.property(completions, fc.integer(), manners, (completion, seed, manner) => {
      const chunks = streamCompletion(completion, seed);
      const { bytes, lastEventStart } = writeEvents([...chunks, "[DONE]"], manner);
      const reader = new ChoiceStreamReader(chatForm, options);
      const passed: Uint8Array[] = [];
      let passedBytes = 0;
      let sentBytes = 0;
      for (const piece of cut(bytes, manner)) {
        for (const part of reader.push(piece)) {
          passed.push(part);
          passedBytes += part.length;
        }
        sentBytes += piece.length;
        if (sentBytes > lastEventStart) continue;
        // Held bytes are at the start of a line and may become the terminal line.
        const held = bytes.toString("latin1", passedBytes, sentBytes);
        if (held === "") continue;
        const before = bytes[passedBytes - 1] ?? 0x0a;
        const atLineStart = before === 0x0a || before === 0x0d || passedBytes === 3;
        if (!atLineStart || !doneLines.some((line) => line.startsWith(held))) {
          expect.fail(`held: ${held}`);
        }
      }
      // Everything before the terminal event has been passed on, and nothing of it.
      expect(passedBytes).toBe(lastEventStart);
      expect(Buffer.concat([...passed, ...reader.tail()]).equals(bytes)).toBe(true);
      reader.end();
      expect(reader.terminal).toBe(true);
      expect(reader.complete).toBe(true);

      const facts = reader.facts();
      expect(JSON.parse(String(facts.text))).toEqual(JSON.parse(JSON.stringify(completion)));
      expect(facts).toMatchObject({
        complete: true,
        error: null,
        truncated: false,
        finish_reason: completion.choices[0]?.finish_reason,
        prompt_tokens: completion.usage?.prompt_tokens ?? null,
        completion_tokens: completion.usage?.completion_tokens ?? null,
      });
    }),
    { numRuns: 100 },
  );
});

test("the facts are the same without assembly", () => {
  fc.assert(
    fc.property(completions, fc.integer(), manners, (completion, seed, manner) => {
      const { bytes } = writeEvents(streamCompletion(completion, seed), manner);
      const readers = [true, false].map((assemble) => {
        const reader = new ChoiceStreamReader(chatForm, { assemble, maxBytes: 1e6 });
        for (const piece of cut(bytes, manner)) reader.push(piece);
        reader.end();
        return { ...reader.facts(), text: null, sensitive: false };
      });
      expect(readers[1]).toEqual(readers[0]);
    }),
    { numRuns: 50 },
  );
});
