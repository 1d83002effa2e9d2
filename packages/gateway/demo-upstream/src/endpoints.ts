import {
  type Endpoint,
  type EndpointName,
  endpointsByName,
  namesModel,
  readPath,
} from "@proj/model-apis";
import { readChatRequest } from "./chat-request.ts";
import { readContentRequest } from "./content-request.ts";
import type { JsonObject } from "./json-object.ts";
import { readMessagesRequest } from "./messages-request.ts";
import type { Prompt } from "./prompt.ts";
import { readResponsesRequest } from "./responses-request.ts";

const readers: { readonly [Name in EndpointName]?: (body: JsonObject) => Prompt } = {
  chat_completions: readChatRequest,
  responses: readResponsesRequest,
  messages: readMessagesRequest,
  count_tokens: readMessagesRequest,
  generate_content: readContentRequest,
  content_tokens: readContentRequest,
};

export interface FoundEndpoint {
  readonly endpoint: Endpoint;
  readonly read: (body: JsonObject) => Prompt;
  /** Members of the request that its path has. */
  readonly told: object;
}

/** The endpoint at a path; null: there is none. */
export function endpointAt(path: string): FoundEndpoint | null {
  const [, below = ""] = /^\/v1(?:beta)?(\/.+)$/.exec(path) ?? [];
  for (const endpoint of Object.values(endpointsByName)) {
    const read = readers[endpoint.name];
    const told = namesModel(endpoint) ? readPath(endpoint, below) : {};
    const isHere = told !== null && (namesModel(endpoint) || below === endpoint.path);
    if (read !== undefined && isHere) return { endpoint, read, told };
  }
  return null;
}
