import { openaiErrorBody } from "../api-error.ts";
import { choiceAnswers } from "../choices/choice-answers.ts";
import { readChoiceFacts } from "../choices/choice-facts.ts";
import { elementsOf } from "../conversation/json-slices.ts";
import { readUtterance } from "../conversation/utterance.ts";
import { type Endpoint, openaiHeaders } from "../endpoint.ts";
import { isJsonObject, objectsOf } from "../json/json-object.ts";
import { endpointPaths, streamPaths } from "../names.ts";
import { openaiOverflow } from "../overflow.ts";
import { ChoiceStreamReader } from "../streams/choice-stream-reader.ts";
import { writeChatAnswer } from "./chat-answer.ts";
import { chatForm } from "./chat-form.ts";
import { readChatRequest } from "./chat-request.ts";
import { writeChatStream } from "./chat-stream.ts";
import { LiveChat } from "./live-chat.ts";
import { readChat } from "./read-chat.ts";
import { writeChatRequest } from "./write-chat-request.ts";

/** `POST chat/completions` */
export const chatCompletions: Endpoint<"chat_completions"> = {
  name: "chat_completions",
  path: endpointPaths.chat_completions,
  streamPath: streamPaths.chat_completions,
  ...openaiHeaders,
  asksUsage: true,
  // Newer models take the limit under another name.
  probes: [
    { messages: [{ role: "user", content: "Hi" }], max_tokens: 1 },
    { messages: [{ role: "user", content: "Hi" }], max_completion_tokens: 16 },
  ],
  history: "messages",
  readFacts: readChoiceFacts,
  openStream: (options) => new ChoiceStreamReader(chatForm, options),
  abridge: null,
  isRecorded: true,
  errorBody: openaiErrorBody,
  writeCount: null,
  chat: {
    read: readChat,
    open: (head) => new LiveChat(head),
    givenBack: ({ choices }) =>
      objectsOf(choices).flatMap(({ message }) => (isJsonObject(message) ? [message] : [])),
    overflow: (overflow) => openaiOverflow(overflow, "messages"),
    failedStream: null,
  },
  readRequest: readChatRequest,
  writeRequest: writeChatRequest,
  writeAnswer: writeChatAnswer,
  readReference: null,
  keepsAnswers: false,
  conversation: {
    messagesOf: elementsOf,
    systemOf: () => null,
    answersOf: choiceAnswers(({ message }) => readUtterance(message)),
    repeatedOf: () => null,
    inherited: [],
    marksFailures: false,
  },
  writeStream: writeChatStream,
};
