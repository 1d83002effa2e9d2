import type { EngineFinding } from "@proj/gateway-protocol";
import { type JsonObject, listOf, objectOf } from "@proj/model-apis/json";
import type { EngineTokens } from "@proj/model-apis/tokens";
import type { ProbedRoute } from "./ask-tokens.ts";
import { flagsOf } from "./engine-flags.ts";

// What an engine's server says about itself.

export async function checkWeightVersions(
  probed: ProbedRoute,
  { versions }: EngineTokens,
): Promise<EngineFinding> {
  const check = "weight_versions";
  const version =
    versions?.[0]?.version ?? (await ask(probed, "/weight_info")).weight_version ?? null;
  if (typeof version === "string")
    return { check, level: "ok", message: `the weights are '${version}'` };
  const flag = flagsOf[probed.engine].weight_versions;
  const message = `the engine tells no version of its weights. ${flag}`;
  return { check, level: "warning", message };
}

/** @param prompt how many tokens the question has */
export async function checkContextLength(
  { upstream, route, model }: ProbedRoute,
  prompt: number,
): Promise<EngineFinding> {
  const check = "context_length";
  const { data } = objectOf((await upstream.ask("/models")).body);
  const models = listOf(data).map(objectOf);
  const name = route.upstream_model ?? model;
  const { max_model_len: length } = models.find(({ id }) => id === name) ?? models[0] ?? {};
  if (typeof length !== "number" || !(length > prompt))
    return { check, level: "warning", message: "/models does not say how many tokens fit" };
  return { check, level: "ok", message: `${length} tokens` };
}

/** SGLang accepts tools without a parser, and says which it has. */
export async function checkParsers(probed: ProbedRoute): Promise<EngineFinding[]> {
  const info = await ask(probed, "/server_info").catch((): JsonObject => ({}));
  return (["tool_parser", "reasoning_parser"] as const).flatMap((check) => {
    const name = check === "tool_parser" ? "tool_call_parser" : check;
    if (info[name] !== null) return [];
    return [{ check, level: "failed", message: `SGLang has none. ${flagsOf.sglang[check]}` }];
  });
}

/** What a path of the server says; empty: it has none. */
async function ask({ upstream }: ProbedRoute, path: string): Promise<JsonObject> {
  const { status, body } = await upstream.askServer(path);
  return status === 200 ? objectOf(body) : {};
}
