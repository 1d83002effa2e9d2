import type { ApiError } from "./api-error.ts";
import { writeChatCompletion } from "./chat-answer.ts";
import { readChatRequest } from "./chat-request.ts";
import { streamChatCompletion } from "./chat-stream.ts";
import { countContent, streamContent, writeContent } from "./content-answer.ts";
import { writeContentError } from "./content-error.ts";
import { readContentRequest } from "./content-request.ts";
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

const endpoints: ReadonlyMap<string, Endpoint> = new Map([
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

const content: Endpoint = {
  read: readContentRequest,
  write: writeContent,
  stream: streamContent,
  writeError: writeContentError,
};

/** The methods of a model of Google's, which say what in other APIs the body says. */
const contentMethods: ReadonlyMap<string, readonly [Endpoint, { readonly stream: boolean }]> =
  new Map([
    ["generateContent", [content, { stream: false }]],
    ["streamGenerateContent", [content, { stream: true }]],
    ["countTokens", [{ ...content, write: countContent, stream: null }, { stream: false }]],
  ]);

export interface FoundEndpoint {
  readonly endpoint: Endpoint;
  /** Members of the request that its path has. */
  readonly told: JsonObject;
}

/** The endpoint at a path; null: there is none. */
export function endpointAt(path: string): FoundEndpoint | null {
  const endpoint = endpoints.get(path);
  if (endpoint !== undefined) return { endpoint, told: {} };
  const [, model = "", method = ""] = /^\/v1(?:beta)?\/models\/([^/]+):(\w+)$/.exec(path) ?? [];
  const found = contentMethods.get(method);
  return found === undefined ? null : { endpoint: found[0], told: { ...found[1], model } };
}
