import { openaiErrorBody } from "../api-error.ts";
import { objectsOf } from "../chat.ts";
import { readChoiceFacts } from "../choices/choice-facts.ts";
import { type Endpoint, openaiHeaders } from "../endpoint.ts";
import { isJsonObject } from "../json/json-object.ts";
import { endpointPaths } from "../names.ts";
import { ChoiceStreamReader } from "../streams/choice-stream-reader.ts";
import { chatForm } from "./chat-form.ts";
import { writeChatStop } from "./chat-stop.ts";
import { writeChatStream } from "./chat-stream.ts";
import { LiveChat } from "./live-chat.ts";
import { readChat } from "./read-chat.ts";

/** `POST chat/completions` */
export const chatCompletions: Endpoint<"chat_completions"> = {
  name: "chat_completions",
  path: endpointPaths.chat_completions,
  ...openaiHeaders,
  history: "messages",
  readFacts: readChoiceFacts,
  openStream: (options) => new ChoiceStreamReader(chatForm, options),
  abridge: null,
  isRecorded: true,
  errorBody: openaiErrorBody,
  writeStop: writeChatStop,
  chat: {
    read: readChat,
    open: (head) => new LiveChat(head),
    givenBack: ({ choices }) =>
      objectsOf(choices).flatMap(({ message }) => (isJsonObject(message) ? [message] : [])),
  },
  writeStream: writeChatStream,
};
