import { openaiErrorBody } from "../api-error.ts";
import { type Endpoint, openaiHeaders } from "../endpoint.ts";
import { listOf } from "../json/json-object.ts";
import { endpointPaths, streamPaths } from "../names.ts";
import { byIdOrObject, byString, findReference } from "../references/reference.ts";
import { LiveResponse } from "./live-response.ts";
import { readChat } from "./read-chat.ts";
import { writeResponseAnswer } from "./response-answer.ts";
import { responseConversation } from "./response-conversation.ts";
import { readResponseFacts } from "./response-facts.ts";
import { readResponseRequest } from "./response-request.ts";
import { writeResponseStream } from "./response-stream.ts";
import { ResponseStreamReader } from "./response-stream-reader.ts";
import { writeResponseRequest } from "./write-response-request.ts";

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
  },
  readRequest: readResponseRequest,
  writeRequest: writeResponseRequest,
  writeAnswer: writeResponseAnswer,
  readReference: (body) => findReference(body, references),
  keepsAnswers: true,
  conversation: responseConversation,
  writeStream: writeResponseStream,
};
