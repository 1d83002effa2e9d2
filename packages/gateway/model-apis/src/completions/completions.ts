import { openaiErrorBody } from "../api-error.ts";
import { choiceAnswers } from "../choices/choice-answers.ts";
import { readChoiceFacts } from "../choices/choice-facts.ts";
import { writeChoiceStream } from "../choices/choice-stream.ts";
import { userMessage } from "../conversation/conversation-form.ts";
import { elementsOf } from "../conversation/json-slices.ts";
import type { StreamOptions } from "../conversation/model-answer.ts";
import { readUtterance } from "../conversation/utterance.ts";
import { type Endpoint, openaiHeaders } from "../endpoint.ts";
import type { JsonObject } from "../json/json-object.ts";
import { endpointPaths, streamPaths } from "../names.ts";
import { ChoiceStreamReader } from "../streams/choice-stream-reader.ts";
import { writeCompletionAnswer } from "./completion-answer.ts";
import { completionForm } from "./completion-form.ts";
import { readCompletionRequest, writeCompletionRequest } from "./completion-request.ts";

const chunksOf = ({ index: _index, finish_reason, ...choice }: JsonObject): JsonObject[] => [
  { ...choice, finish_reason: null },
  { text: "", logprobs: null, finish_reason: finish_reason ?? null },
];

/** The events that a completion is streamed as: each choice in one chunk, and its finish reason in another. */
const writeCompletionStream = (answer: JsonObject, options: StreamOptions = {}): string[] =>
  writeChoiceStream(answer, options, "text_completion", chunksOf);

/** `POST completions`: the older API, whose prompt is a text or token ids. */
export const completions: Endpoint<"completions"> = {
  name: "completions",
  path: endpointPaths.completions,
  streamPath: streamPaths.completions,
  ...openaiHeaders,
  asksUsage: true,
  probes: [{ prompt: "Hi", max_tokens: 1 }],
  history: "prompt",
  readFacts: readChoiceFacts,
  openStream: (options) => new ChoiceStreamReader(completionForm, options),
  abridge: null,
  isRecorded: true,
  errorBody: openaiErrorBody,
  chat: null,
  writeCount: null,
  readRequest: readCompletionRequest,
  writeRequest: writeCompletionRequest,
  writeAnswer: writeCompletionAnswer,
  readReference: null,
  keepsAnswers: false,
  conversation: {
    messagesOf: promptMessages,
    systemOf: () => null,
    answersOf: choiceAnswers(({ text }) => readUtterance({ role: "assistant", content: text })),
    repeatedOf: () => null,
    inherited: [],
    marksFailures: false,
  },
  writeStream: writeCompletionStream,
};

/** The prompt, a text, token ids, or a list of either, as messages of the user. */
function promptMessages(prompt: string): readonly string[] {
  if (prompt.startsWith('"')) return [userMessage(prompt)];
  const prompts = elementsOf(prompt);
  const isIds = prompts.every((element) => !/^["[]/.test(element));
  return (isIds ? [prompt] : prompts).map((each) =>
    userMessage(each.startsWith('"') ? each : `[{"type":"token_ids","token_ids":${each}}]`),
  );
}
