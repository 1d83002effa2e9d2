import fc from "fast-check";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { endpointsByName } from "../../src/endpoints.ts";
import { type Completion, completions } from "./chat-completions.ts";
import { streamCompletion } from "./chat-stream-writer.ts";
import { cut, type Manner, manners, writeEvents } from "./event-stream-writer.ts";
import { responses, streamResponse } from "./model-responses.ts";

// A row holds what OpenAI's own client holds at the end of the same stream.

const names = { chat: "chat_completions", responses: "responses" } as const;

/** What a row would have. */
function recorded(api: keyof typeof names, bytes: Buffer, manner: Manner): unknown {
  const reader = endpointsByName[names[api]].openStream?.({ assemble: true, maxBytes: 1e6 });
  for (const piece of cut(bytes, manner)) reader?.push(piece);
  reader?.end();
  return JSON.parse(String(reader?.facts().text));
}

/** The client, which gets these bytes for its request. */
function clientOf(bytes: Buffer): OpenAI {
  const headers = { "content-type": "text/event-stream" };
  const body = new Uint8Array(bytes);
  return new OpenAI({ apiKey: "none", fetch: async () => new Response(body, { headers }) });
}

const added = ["parsed", "parsed_arguments", "output_parsed", "output_text"];

/** Without what the client's helpers add to the API's own members. */
const own = (held: unknown): unknown =>
  JSON.parse(JSON.stringify(held, (name, value) => (added.includes(name) ? undefined : value)));

/** Only what OpenAI sends: of other members the client keeps the last piece alone. */
const official = ({ choices, prompt_token_ids: _, ...rest }: Completion): Completion => ({
  ...rest,
  ...{ system_fingerprint: "fp_1" },
  choices: choices.map(({ index, message, logprobs, finish_reason }) => {
    const { role, content, refusal, tool_calls } = message;
    const calls = tool_calls === undefined ? {} : { tool_calls };
    // The client takes an empty refusal for none.
    const said = { role, content, refusal: refusal === "" ? null : refusal, ...calls };
    return { index, message: said, logprobs, finish_reason };
  }),
});

/** The client takes lines without data for events whose data are not JSON. */
const quiet = manners.map((manner): Manner => ({ ...manner, noise: false }));

type Event = Readonly<Record<string, unknown>>;

/** Each item and each of its parts after the one before: the client takes them in no other order. */
function inOrder(events: readonly Event[]): readonly Event[] {
  const place = ({ type, output_index, summary_index, content_index }: Event): number[] => [
    Number(output_index ?? (/created|in_progress/.test(String(type)) ? -1 : Infinity)),
    /output_item.added/.test(String(type)) ? 0 : /output_item.done/.test(String(type)) ? 2 : 1,
    content_index === undefined ? 0 : 1,
    Number(content_index ?? summary_index ?? 0),
  ];
  const sorted = events.toSorted((one, other) => {
    const [before, after] = [place(one), place(other)];
    const at = before.findIndex((number, index) => number !== after[index]);
    return (before[at] ?? 0) - (after[at] ?? 0);
  });
  return sorted.map((event, sequence_number) => ({ ...event, sequence_number }));
}

test("a streamed completion", async () => {
  await fc.assert(
    fc.asyncProperty(
      completions.map(official),
      fc.integer(),
      quiet,
      async (completion, seed, manner) => {
        const { bytes } = writeEvents([...streamCompletion(completion, seed), "[DONE]"], manner);
        const asked = { model: "m", messages: [{ role: "user" as const, content: "Hello" }] };
        const stream = clientOf(bytes).chat.completions.stream(asked);
        expect(own(await stream.finalChatCompletion())).toEqual(recorded("chat", bytes, manner));
      },
    ),
    { numRuns: 50 },
  );
});

test("a streamed response", async () => {
  await fc.assert(
    fc.asyncProperty(responses, fc.integer(), quiet, async (response, seed, manner) => {
      const { bytes } = writeEvents(inOrder(streamResponse(response, seed, true)), manner);
      const stream = clientOf(bytes).responses.stream({ model: "m", input: "Hello" });
      expect(own(await stream.finalResponse())).toEqual(recorded("responses", bytes, manner));
    }),
    { numRuns: 50 },
  );
});
