import { openaiErrorBody } from "../api-error.ts";
import { type ConversationForm, userMessage } from "../conversation/conversation-form.ts";
import { arrayOf, elementsOf, memberOf } from "../conversation/json-slices.ts";
import { readUtterance } from "../conversation/utterance.ts";
import { type Endpoint, openaiHeaders } from "../endpoint.ts";
import { listOf } from "../json/json-object.ts";
import { endpointPaths, streamPaths } from "../names.ts";
import { openaiOverflow } from "../overflow.ts";
import { byIdOrObject, byString, findReference } from "../references/reference.ts";
import { LiveResponse } from "./live-response.ts";
import { readChat } from "./read-chat.ts";
import { writeResponseAnswer } from "./response-answer.ts";
import { readResponseFacts } from "./response-facts.ts";
import { readResponseRequest } from "./response-request.ts";
import { writeResponseStream } from "./response-stream.ts";
import { ResponseStreamReader } from "./response-stream-reader.ts";
import { writeResponseRequest } from "./write-response-request.ts";

const responseConversation: ConversationForm = {
  // A bare string is a user message.
  messagesOf: (input) => (input.startsWith('"') ? [userMessage(input)] : elementsOf(input)),
  systemOf: ({ instructions }) => instructions ?? null,
  answersOf: ({ output }) => (Array.isArray(output) ? output.map(readUtterance) : null),
  repeatedOf: (response) => {
    const output = arrayOf(memberOf(response, "output"));
    return output === null ? null : elementsOf(output);
  },
  // Each request brings its own instructions and tools.
  inherited: [],
  marksFailures: false,
};

const references = {
  previous_response_id: byString("previous_response_id"),
  conversation: byIdOrObject("conversation"),
};

/** `POST responses` */
export const responses: Endpoint<"responses"> = {
  name: "responses",
  path: endpointPaths.responses,
  streamPath: streamPaths.responses,
  ...openaiHeaders,
  probes: [{ input: "Hi", max_output_tokens: 16 }],
  history: "input",
  readFacts: readResponseFacts,
  openStream: (options) => new ResponseStreamReader(options),
  abridge: null,
  isRecorded: true,
  errorBody: openaiErrorBody,
  writeCount: null,
  chat: {
    read: readChat,
    open: (head) => new LiveResponse(head),
    givenBack: ({ output }) => listOf(output),
    overflow: (overflow) => openaiOverflow(overflow, "input"),
    failedStream: (head, error) => new LiveResponse(head).fail(error),
  },
  readRequest: readResponseRequest,
  writeRequest: writeResponseRequest,
  writeAnswer: writeResponseAnswer,
  readReference: (body) => findReference(body, references),
  keepsAnswers: true,
  conversation: responseConversation,
  writeStream: writeResponseStream,
};
