import { type EndpointName, endpointsByName } from "@proj/model-apis";
import { oneForEach } from "../one-for-each.ts";

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

/** By the replica's name; null: the conventions have no value for it. */
const knownProvider = oneForEach((replica: string | null): string | null => {
  const host = replica !== null && URL.canParse(replica) ? new URL(replica).hostname : "";
  const known = providers.find(([end]) => host === end || host.endsWith(`.${end}`));
  return known?.[1] ?? null;
});

/** For any other upstream, the conventions ask for the provider whose API it speaks. */
export function providerOf(endpoint: EndpointName, replica: string | null): string {
  const known = knownProvider(replica);
  if (known !== null) return known;
  return endpointsByName[endpoint].provider;
}
