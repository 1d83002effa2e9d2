import { expect, test } from "vitest";
import { providers } from "../../src/providers/providers.ts";

test("there are twenty providers, with unique labels and slugs", () => {
  expect(providers.map(({ label, slug }) => [label, slug])).toEqual([
    ["OpenAI", "openai"],
    ["Anthropic", "anthropic"],
    ["Google Gemini", "google-gemini"],
    ["Google Gemini release notes", "google-changelog"],
    ["Google Vertex", "google-vertex"],
    ["Google Vertex partners", "google-vertex-partners"],
    ["AWS Bedrock", "aws-bedrock"],
    ["Azure", "azure"],
    ["Cohere", "cohere"],
    ["Groq", "groq"],
    ["xAI", "xai"],
    ["Mistral", "mistral"],
    ["DeepSeek", "deepseek"],
    ["Alibaba Cloud", "alibaba"],
    ["Moonshot AI", "moonshot"],
    ["Cerebras", "cerebras"],
    ["Fireworks", "fireworks"],
    ["MiniMax", "minimax"],
    ["Z.ai", "z-ai"],
    ["Perplexity", "perplexity"],
  ]);
});

test.each(providers)("$label is read over https from the host of its page", (provider) => {
  const page = new URL(provider.page_url);
  const source = new URL(provider.source_url);
  expect([page.protocol, source.protocol]).toEqual(["https:", "https:"]);
  expect(source.host).toBe(page.host);
  expect(page.hash + source.hash).toBe("");
  for (const host of provider.allowed_hosts) expect(new URL(`https://${host}/`).host).toBe(host);
});
