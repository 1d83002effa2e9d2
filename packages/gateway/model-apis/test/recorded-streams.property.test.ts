import fc from "fast-check";
import { expect, test } from "vitest";
import { endpointsByName } from "../src/endpoints.ts";
import { completions as chat_completions } from "./streams/chat-completions.ts";
import { messages } from "./streams/model-messages.ts";
import { responses } from "./streams/model-responses.ts";
import { streamedTexts } from "./streams/text-completions.ts";

const options = { assemble: true, maxBytes: 1e6 };
const completions = streamedTexts.map(({ completion }) => completion);
const recorded = { chat_completions, completions, messages, responses };

/** What a row would have for the stream that the endpoint writes from an answer. */
function streamed(name: keyof typeof endpointsByName, answer: object): unknown {
  const { openStream, writeStream } = endpointsByName[name];
  const reader = openStream?.(options);
  // As from JSON.parse: without undefined members.
  reader?.push(Buffer.from(writeStream?.(JSON.parse(JSON.stringify(answer))).join("") ?? ""));
  reader?.end();
  expect(reader).toMatchObject({ terminal: true, complete: true, error: null });
  return JSON.parse(String(reader?.facts().text));
}

for (const name of ["chat_completions", "completions", "messages", "responses"] as const)
  test(`a recorded answer of ${name}, streamed again, is what was recorded`, () => {
    fc.assert(
      fc.property<[object]>(recorded[name], (answer) => {
        expect(streamed(name, answer)).toEqual(JSON.parse(JSON.stringify(answer)));
      }),
      { numRuns: 200 },
    );
  });
