import { chatCompletions } from "./chat-completions/chat-completions.ts";
import { completions } from "./completions/completions.ts";
import { embeddings } from "./embeddings/embeddings.ts";
import type { Endpoint } from "./endpoint.ts";
import { contentTokens } from "./generate-content/content-tokens.ts";
import { generateContent } from "./generate-content/generate-content.ts";
import { countTokens } from "./messages/count-tokens.ts";
import { messages } from "./messages/messages.ts";
import type { EndpointName } from "./names.ts";
import { compact } from "./responses/compact.ts";
import { inputTokens } from "./responses/input-tokens.ts";
import { responses } from "./responses/responses.ts";

export const endpointsByName: { readonly [Name in EndpointName]: Endpoint<Name> } = {
  chat_completions: chatCompletions,
  responses,
  completions,
  embeddings,
  messages,
  compact,
  input_tokens: inputTokens,
  count_tokens: countTokens,
  generate_content: generateContent,
  content_tokens: contentTokens,
};

/** Every endpoint that the gateway serves. */
export const endpoints: readonly Endpoint[] = Object.values(endpointsByName);
