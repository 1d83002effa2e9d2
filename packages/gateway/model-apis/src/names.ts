/** The model APIs, by the names under which a route lists those that its upstream speaks. */
export type ApiName = "chat_completions" | "responses" | "completions" | "embeddings" | "messages";

/** The POST endpoints for models, by the names used in rows, metrics and logs. */
export type EndpointName = ApiName | "compact" | "input_tokens" | "count_tokens";

/** The path of each endpoint: below `/v1`, below a session, and below the base URL of an upstream. */
export const endpointPaths: Readonly<Record<EndpointName, string>> = {
  chat_completions: "/chat/completions",
  responses: "/responses",
  completions: "/completions",
  embeddings: "/embeddings",
  messages: "/messages",
  compact: "/responses/compact",
  input_tokens: "/responses/input_tokens",
  count_tokens: "/messages/count_tokens",
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
};

/** All endpoints. */
export const endpointNames: readonly EndpointName[] = Object.keys(endpointPaths).filter(
  (name): name is EndpointName => Object.hasOwn(endpointPaths, name),
);

export const apiNames: readonly ApiName[] = [...new Set(Object.values(apiOf))];
