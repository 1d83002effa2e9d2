import { ChatAnthropic } from "@langchain/anthropic";
import { callsOf } from "./langchain-calls.mjs";

export const { plain, streamed, tools } = callsOf(
  ({ baseURL, model, apiKey }) =>
    new ChatAnthropic({ model, apiKey, anthropicApiUrl: baseURL, maxTokens: 1_000 }),
);
