import { writeChatCompletion } from "./chat-answer.ts";
import { readChatRequest } from "./chat-request.ts";
import { streamChatCompletion } from "./chat-stream.ts";
import type { Exchange } from "./exchange.ts";
import type { JsonObject } from "./json-object.ts";
import type { Prompt } from "./prompt.ts";
import { writeResponse } from "./responses-answer.ts";
import { readResponsesRequest } from "./responses-request.ts";
import { streamResponse } from "./responses-stream.ts";

/** How one endpoint reads its requests and writes its answers. */
export interface Endpoint {
  readonly read: (body: JsonObject) => Prompt;
  readonly write: (exchange: Exchange) => JsonObject;
  readonly stream: (exchange: Exchange) => Generator<string>;
}

export const endpoints: ReadonlyMap<string, Endpoint> = new Map([
  [
    "/v1/chat/completions",
    { read: readChatRequest, write: writeChatCompletion, stream: streamChatCompletion },
  ],
  ["/v1/responses", { read: readResponsesRequest, write: writeResponse, stream: streamResponse }],
]);
