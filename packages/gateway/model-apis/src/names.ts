/** The model APIs, by the names under which a route lists those that its upstream speaks. */
export type ApiName =
  | "chat_completions"
  | "responses"
  | "completions"
  | "embeddings"
  | "messages"
  | "generate_content";

/** The POST endpoints for models, by the names used in rows, metrics and logs. */
export type EndpointName = ApiName | "compact" | "input_tokens" | "count_tokens" | "content_tokens";

/**
 * The path of each endpoint: below `/v1`, below a session, and below the base URL of an upstream. `{model}` stands for
 * the model where the path names it, and not the body.
 */
export const endpointPaths: Readonly<Record<EndpointName, string>> = {
  chat_completions: "/chat/completions",
  responses: "/responses",
  completions: "/completions",
  embeddings: "/embeddings",
  messages: "/messages",
  compact: "/responses/compact",
  input_tokens: "/responses/input_tokens",
  count_tokens: "/messages/count_tokens",
  generate_content: "/models/{model}:generateContent",
  content_tokens: "/models/{model}:countTokens",
};

/** The API that each endpoint belongs to: a route that lists the API has all of them. */
export const apiOf: Readonly<Record<EndpointName, ApiName>> = {
  chat_completions: "chat_completions",
  responses: "responses",
  completions: "completions",
  embeddings: "embeddings",
  messages: "messages",
  compact: "responses",
  input_tokens: "responses",
  count_tokens: "messages",
  generate_content: "generate_content",
  content_tokens: "generate_content",
};

/** Where a request for a stream has a path of its own, with the query that asks for events. */
export const streamPaths: Readonly<Record<EndpointName, string>> = {
  ...endpointPaths,
  generate_content: "/models/{model}:streamGenerateContent?alt=sse",
};

/** The header in which each API's own service takes a key; `authorization` takes it as `Bearer <key>`. */
export const keyHeaders: Readonly<Record<ApiName, string>> = {
  chat_completions: "authorization",
  responses: "authorization",
  completions: "authorization",
  embeddings: "authorization",
  messages: "x-api-key",
  generate_content: "x-goog-api-key",
};

/** All endpoints. */
export const endpointNames: readonly EndpointName[] = Object.keys(endpointPaths).filter(
  (name): name is EndpointName => Object.hasOwn(endpointPaths, name),
);

export const apiNames: readonly ApiName[] = [...new Set(Object.values(apiOf))];

/** The APIs that agents may use on a route with an inference engine. */
export const engineApis: readonly ApiName[] = [
  "chat_completions",
  "responses",
  "messages",
  "generate_content",
];

/** The APIs that an upstream is assumed to speak if its route names none. */
export const defaultApis: readonly ApiName[] = [
  "chat_completions",
  "responses",
  "completions",
  "embeddings",
];
