import type { ChatRequest } from "@proj/model-apis";
import type { JsonObject } from "@proj/model-apis/json";

/** Members that bind an answer to a grammar, which an engine begins with in each request. */
const grammars = [
  ...["ebnf", "guided_choice", "guided_grammar", "guided_json", "guided_regex", "json_schema"],
  ...["regex", "response_format", "structured_outputs"],
];

/** Whether an engine would begin the answer's grammar again if it were asked to go on. */
export function isConstrained({ members }: ChatRequest): boolean {
  const { tool_choice = "auto" } = members;
  const isFree = tool_choice === "auto" || tool_choice === "none";
  return !isFree || grammars.some((name) => members[name] !== undefined);
}

/** Limits of the whole answer, as those of what follows these tokens. */
export function membersBehind(tokens: number, members: JsonObject): JsonObject {
  const limits = ["max_tokens", "max_completion_tokens", "min_tokens"].flatMap((name) => {
    const limit = members[name];
    const least = name === "min_tokens" ? 0 : 1;
    return typeof limit === "number" ? [[name, Math.max(least, limit - tokens)] as const] : [];
  });
  return { ...members, ...Object.fromEntries(limits) };
}

/** Whether the engine repeats this prompt and the kept tokens behind it. */
export function isPrompt(
  whole: Int32Array,
  kept: readonly number[],
  echoed: ArrayLike<number>,
): boolean {
  if (echoed.length !== whole.length + kept.length) return false;
  return (
    whole.every((id, at) => id === echoed[at]) &&
    kept.every((id, at) => id === echoed[whole.length + at])
  );
}
