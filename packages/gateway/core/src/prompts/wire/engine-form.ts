import type { ChatRequest } from "@proj/model-apis";
import { type JsonObject, objectOf } from "@proj/model-apis/json";

export type EngineName = "vllm" | "sglang";

/**
 * A request as the engine itself gives it to the chat template, so that a prompt rendered here is the engine's own.
 * Read in vLLM 0.32 and SGLang 0.5.23.
 */
export function engineForm(engine: EngineName, asked: ChatRequest): ChatRequest {
  const { tools, variables, members } = asked;
  return {
    ...asked,
    tools: tools?.map((tool) => engineTool(engine, tool)) ?? null,
    variables: { ...thinkingAt(engine, members.reasoning_effort), ...variables },
  };
}

/** Members of a function that engines know, in vLLM's order; they drop all others. */
const known = ["name", "description", "parameters", "strict", "defer_loading"];
/** Engines write these as null where they are missing. */
const written: ReadonlySet<string> = new Set(["description", "parameters"]);

/** SGLang keeps the order in which the caller wrote a function. */
function engineTool(engine: EngineName, { type, function: called, defer_loading }: JsonObject) {
  const given: JsonObject = { defer_loading, ...objectOf(called) };
  const order = engine === "vllm" ? known : [...Object.keys(objectOf(called)), ...known];
  const members = order
    .filter((name) => known.includes(name) && (written.has(name) || given[name] != null))
    .map((name) => [name, given[name] ?? null]);
  return {
    type,
    function: Object.fromEntries(members),
    ...(defer_loading == null ? {} : { defer_loading }),
  };
}

/** Whether the model thinks, for templates that ask for it by these names. */
function thinkingAt(engine: EngineName, effort: unknown): JsonObject {
  if (typeof effort !== "string") return {};
  const enable_thinking = effort !== "none";
  return engine === "vllm" ? { enable_thinking } : { thinking: enable_thinking, enable_thinking };
}
