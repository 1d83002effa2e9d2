import fc from "fast-check";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { completionForm } from "../../src/completions/completion-form.ts";
import { ChoiceStreamReader } from "../../src/streams/choice-stream-reader.ts";
import { cut, manners, writeEvents } from "./event-stream-writer.ts";
import { readWhole } from "./read-whole.ts";
import { streamedTexts } from "./text-completions.ts";

const options = { assemble: true, maxBytes: 1e6 };

test("a streamed text completion is assembled as the one that was streamed, at any cut", () => {
  fc.assert(
    fc.property(streamedTexts, manners, ({ completion, chunks }, manner) => {
      const { bytes, lastEventStart } = writeEvents([...chunks, "[DONE]"], manner);
      const reader = new ChoiceStreamReader(completionForm, options);
      readWhole(reader, bytes, lastEventStart, manner);
      const facts = reader.facts();
      expect(JSON.parse(String(facts.text))).toEqual(JSON.parse(JSON.stringify(completion)));
      expect(facts).toMatchObject({
        truncated: false,
        finish_reason: completion.choices[0]?.finish_reason,
        prompt_tokens: completion.usage?.prompt_tokens ?? null,
        completion_tokens: completion.usage?.completion_tokens ?? null,
      });
    }),
    { numRuns: 100 },
  );
});

/** The chunks of one choice, added up. OpenAI's client adds up the chunks of this API nowhere. */
function addUp(chunks: readonly OpenAI.Completion[], index: number): object {
  const own = chunks.flatMap(({ choices }) => choices.filter((choice) => choice.index === index));
  const all = own.flatMap(({ logprobs }) => (logprobs === null ? [] : [logprobs]));
  return {
    text: own.map(({ text }) => text).join(""),
    finish_reason: own.at(-1)?.finish_reason,
    tokens: all.flatMap(({ tokens = [] }) => tokens),
    token_logprobs: all.flatMap(({ token_logprobs = [] }) => token_logprobs),
    top_logprobs: all.flatMap(({ top_logprobs = [] }) => top_logprobs),
    text_offset: all.flatMap(({ text_offset = [] }) => text_offset),
  };
}

test("a row has what the official client reads of a streamed text completion", async () => {
  await fc.assert(
    fc.asyncProperty(streamedTexts, manners, async ({ chunks }, manner) => {
      // The client takes lines without data for events whose data are not JSON.
      const { bytes } = writeEvents([...chunks, "[DONE]"], { ...manner, noise: false });
      const headers = { "content-type": "text/event-stream" };
      const body = new Uint8Array(bytes);
      const fetch = async (): Promise<Response> => new Response(body, { headers });
      const { completions } = new OpenAI({ apiKey: "none", fetch });
      const read: OpenAI.Completion[] = [];
      const stream = await completions.create({ model: "m", prompt: "Hello", stream: true });
      for await (const chunk of stream) read.push(chunk);

      const reader = new ChoiceStreamReader(completionForm, options);
      for (const piece of cut(bytes, manner)) reader.push(piece);
      reader.end();
      const row: OpenAI.Completion = JSON.parse(String(reader.facts().text));
      expect(row.usage).toEqual(read.at(-1)?.usage);
      for (const choice of row.choices) {
        const { text, finish_reason, logprobs } = choice;
        const {
          tokens = [],
          token_logprobs = [],
          top_logprobs = [],
          text_offset = [],
        } = logprobs ?? {};
        expect({
          ...{ text, finish_reason },
          ...{ tokens, token_logprobs, top_logprobs, text_offset },
        }).toEqual(addUp(read, choice.index));
      }
    }),
    { numRuns: 50 },
  );
});
