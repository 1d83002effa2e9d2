import { openaiErrorBody } from "../api-error.ts";
import { choiceAnswers } from "../choices/choice-answers.ts";
import { readChoiceFacts } from "../choices/choice-facts.ts";
import { readUtterance } from "../conversation/utterance.ts";
import { type Endpoint, openaiHeaders } from "../endpoint.ts";
import { endpointPaths, streamPaths } from "../names.ts";
import { ChoiceStreamReader } from "../streams/choice-stream-reader.ts";
import { writeCompletionAnswer } from "./completion-answer.ts";
import { completionForm } from "./completion-form.ts";
import { readCompletionRequest, writeCompletionRequest } from "./completion-request.ts";
import { writeCompletionStream } from "./completion-stream.ts";
import { promptMessages } from "./prompt-messages.ts";

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
