import type { ApiError } from "./api-error.ts";
import { writeChatCompletion } from "./chat-answer.ts";
import { readChatRequest } from "./chat-request.ts";
import { streamChatCompletion } from "./chat-stream.ts";
import type { Exchange } from "./exchange.ts";
import type { JsonObject } from "./json-object.ts";
import { countTokens, writeMessage } from "./messages-answer.ts";
import { writeMessagesError } from "./messages-error.ts";
import { readMessagesRequest } from "./messages-request.ts";
import { streamMessage } from "./messages-stream.ts";
import type { Prompt } from "./prompt.ts";
import { writeResponse } from "./responses-answer.ts";
import { readResponsesRequest } from "./responses-request.ts";
import { streamResponse } from "./responses-stream.ts";

/** How one endpoint reads its requests and writes its answers. */
export interface Endpoint {
  readonly read: (body: JsonObject) => Prompt;
  readonly write: (exchange: Exchange) => JsonObject;
  /** Null if it never streams. */
  readonly stream: ((exchange: Exchange) => Generator<string>) | null;
  readonly writeError: (error: ApiError) => JsonObject;
}

const openaiError = ({ body }: ApiError): JsonObject => body;

export const endpoints: ReadonlyMap<string, Endpoint> = new Map([
  [
    "/v1/chat/completions",
    {
      read: readChatRequest,
      write: writeChatCompletion,
      stream: streamChatCompletion,
      writeError: openaiError,
    },
  ],
  [
    "/v1/responses",
    {
      read: readResponsesRequest,
      write: writeResponse,
      stream: streamResponse,
      writeError: openaiError,
    },
  ],
  [
    "/v1/messages",
    {
      read: readMessagesRequest,
      write: writeMessage,
      stream: streamMessage,
      writeError: writeMessagesError,
    },
  ],
  [
    "/v1/messages/count_tokens",
    { read: readMessagesRequest, write: countTokens, stream: null, writeError: writeMessagesError },
  ],
]);
