import type { RouteConfig } from "@proj/gateway-protocol";
import type { ApiName, Endpoint } from "@proj/model-apis";
import { endpointsByName } from "@proj/model-apis";

type Members = Readonly<Record<string, unknown>>;

export interface LiveQuestion {
  readonly endpoint: Endpoint;
  /** The bodies to try in turn, without the model. Each asks for a token. */
  readonly bodies: readonly [Members, ...Members[]];
}

const messages = [{ role: "user", content: "Hi" }];

const bodiesOf: Readonly<Record<ApiName, LiveQuestion["bodies"]>> = {
  // Newer models take the limit under another name.
  chat_completions: [
    { messages, max_tokens: 1 },
    { messages, max_completion_tokens: 16 },
  ],
  responses: [{ input: "Hi", max_output_tokens: 16 }],
  messages: [{ messages, max_tokens: 1 }],
  completions: [{ prompt: "Hi", max_tokens: 1 }],
  embeddings: [{ input: "Hi" }],
  generate_content: [
    {
      contents: [{ role: "user", parts: [{ text: "Hi" }] }],
      generationConfig: { maxOutputTokens: 16 },
    },
  ],
};

/** A question in an API that the route serves: chat completions if it does, else the first it names. */
export function liveQuestion({ endpoints }: Pick<RouteConfig, "endpoints">): LiveQuestion {
  const [first = "chat_completions"] = endpoints;
  const api = endpoints.includes("chat_completions") ? "chat_completions" : first;
  return { endpoint: endpointsByName[api], bodies: bodiesOf[api] };
}
