import {
  type Endpoint,
  type EndpointName,
  endpointsByName,
  namesModel,
  readPath,
} from "@proj/model-apis";

const served: readonly EndpointName[] = [
  ...(["chat_completions", "responses", "messages", "generate_content"] as const),
  ...(["count_tokens", "content_tokens"] as const),
];

export interface FoundEndpoint {
  readonly endpoint: Endpoint;
  /** Members of the request that its path has. */
  readonly told: object;
}

/** The endpoint at a path; null: there is none. */
export function endpointAt(path: string): FoundEndpoint | null {
  const [, below = ""] = /^\/v1(?:beta)?(\/.+)$/.exec(path) ?? [];
  for (const name of served) {
    const endpoint: Endpoint = endpointsByName[name];
    const told = namesModel(endpoint) ? readPath(endpoint, below) : {};
    if (told !== null && (namesModel(endpoint) || below === endpoint.path))
      return { endpoint, told };
  }
  return null;
}
