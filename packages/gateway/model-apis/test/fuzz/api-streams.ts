import fc from "fast-check";
import { type Completion, completions } from "../streams/chat-completions.ts";
import { streamCompletion } from "../streams/chat-stream-writer.ts";
import { streamMessage } from "../streams/message-stream-writer.ts";
import { messages } from "../streams/model-messages.ts";
import { responses, streamResponse } from "../streams/model-responses.ts";
import { chatForms } from "./chat-forms.ts";
import type { Form } from "./form.ts";
import { messageForms } from "./message-forms.ts";
import type { Json, StreamedApi } from "./official-client.ts";
import { responseForms } from "./response-forms.ts";

export interface ApiStreams {
  readonly api: StreamedApi;
  readonly runs: number;
  readonly forms: readonly Form[];
  /** The events of an answer as the API's own service may send them. */
  readonly events: fc.Arbitrary<readonly Json[]>;
  /** What its service sends last, beside the events. */
  readonly end: readonly string[];
}

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

/** Each item and each of its parts after the one before: the client takes them in no other order. */
function inOrder(events: readonly Json[]): readonly Json[] {
  const place = ({ type, output_index, summary_index, content_index }: Json): number[] => [
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

/** CI asks for all suites; elsewhere an eighth has every form and saves most of a minute. */
const inCi = (runs: number): number => (process.env.REQUIRE_ALL_SUITES ? runs : runs / 8);

export const apiStreams: readonly ApiStreams[] = [
  {
    ...{ api: "chat_completions", runs: inCi(6_000), forms: chatForms, end: ["[DONE]"] },
    events: fc
      .tuple(completions.map(official), fc.integer())
      .map(([completion, seed]) => streamCompletion(completion, seed)),
  },
  {
    ...{ api: "responses", runs: inCi(2_000), forms: responseForms, end: [] },
    events: fc
      .tuple(responses, fc.integer())
      .map(([response, seed]) => inOrder(streamResponse(response, seed, true))),
  },
  {
    ...{ api: "messages", runs: inCi(2_000), forms: messageForms, end: [] },
    events: fc.tuple(messages, fc.integer()).map(([message, seed]) => streamMessage(message, seed)),
  },
];
