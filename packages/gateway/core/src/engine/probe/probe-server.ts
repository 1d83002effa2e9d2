import type { EngineFinding } from "@proj/gateway-protocol";
import { type JsonObject, objectOf } from "@proj/model-apis/json";
import type { EngineTokens } from "@proj/model-apis/tokens";
import { flagsOf } from "./engine-flags.ts";
import type { ProbedRoute } from "./probe-engine.ts";

/** What an engine's server says about itself. */
export async function probeServer(
  probed: ProbedRoute,
  { versions }: EngineTokens,
): Promise<EngineFinding[]> {
  const { engine, upstream } = probed;
  const flags = flagsOf[engine];
  const version =
    versions?.[0]?.version ?? (await ask(probed, "/weight_info")).weight_version ?? null;
  const found: EngineFinding[] = [
    typeof version === "string"
      ? { check: "weight_versions", level: "ok", message: `the weights are '${version}'` }
      : {
          check: "weight_versions",
          level: "warning",
          message: `the engine tells no version of its weights. ${flags.weight_versions}`,
        },
    contextLength(objectOf((await upstream.ask("/models")).body)),
  ];
  if (engine === "sglang") {
    const info = await ask(probed, "/server_info");
    for (const check of ["tool_parser", "reasoning_parser"] as const) {
      const name = check === "tool_parser" ? "tool_call_parser" : check;
      if (Object.hasOwn(info, name) && info[name] === null)
        found.push({ check, level: "failed", message: `SGLang has none. ${flags[check]}` });
    }
  }
  return found;
}

function contextLength({ data }: JsonObject): EngineFinding {
  const check = "context_length";
  const [length] = (Array.isArray(data) ? data : [])
    .map((model) => objectOf(model).max_model_len)
    .filter((found) => typeof found === "number");
  return length === undefined
    ? { check, level: "warning", message: "/models does not say how many tokens fit" }
    : { check, level: "ok", message: `${length} tokens` };
}

/** What a path of the server says; empty: it has none. */
async function ask({ upstream }: ProbedRoute, path: string): Promise<JsonObject> {
  const { status, body } = await upstream.askServer(path);
  return status === 200 ? objectOf(body) : {};
}
