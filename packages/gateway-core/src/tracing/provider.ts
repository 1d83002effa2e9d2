import type { EndpointName } from "@proj/gateway-protocol";

/** Well-known values of `gen_ai.provider.name`, by the end of the upstream's host name. */
const providers: readonly (readonly [host: string, provider: string])[] = [
  ["openai.com", "openai"],
  ["openai.azure.com", "azure.ai.openai"],
  ["anthropic.com", "anthropic"],
  ["generativelanguage.googleapis.com", "gcp.gemini"],
  ["aiplatform.googleapis.com", "gcp.vertex_ai"],
  ["amazonaws.com", "aws.bedrock"],
  ["mistral.ai", "mistral_ai"],
  ["deepseek.com", "deepseek"],
  ["groq.com", "groq"],
  ["x.ai", "x_ai"],
  ["cohere.com", "cohere"],
  ["perplexity.ai", "perplexity"],
  ["moonshot.ai", "moonshot_ai"],
];

/** For other upstreams the conventions want the provider whose API they speak. */
export function providerOf(endpoint: EndpointName, replica: string | null): string {
  const host = replica !== null && URL.canParse(replica) ? new URL(replica).hostname : "";
  const known = providers.find(([end]) => host === end || host.endsWith(`.${end}`));
  if (known !== undefined) return known[1];
  return endpoint === "messages" || endpoint === "count_tokens" ? "anthropic" : "openai";
}
