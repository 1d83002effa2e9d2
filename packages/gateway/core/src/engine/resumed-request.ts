import type { ChatRequest } from "@proj/model-apis";
import { isJsonObject, type JsonObject } from "@proj/model-apis/json";
import type { EngineTokens } from "@proj/model-apis/tokens";
import type { EngineAnswer, MadePrompt, PlaceToGoOn } from "../prompts/index.ts";
import { unreadCalls } from "./given-calls.ts";

/** Members that bind an answer to a grammar, which an engine begins with in each request. */
const grammars = [
  ...["ebnf", "guided_choice", "guided_grammar", "guided_json", "guided_regex", "json_schema"],
  ...["regex", "response_format", "structured_outputs"],
];

interface Resumed {
  readonly asked: ChatRequest;
  readonly prompt: MadePrompt | null;
  /** What the engine gives out is not taken back. */
  readonly streams: boolean;
  /** Null: the engine does not parse the whole of an answer. */
  readonly parse: unknown;
}

/**
 * Where an engine goes on with an answer that a pause has cut off: its beginning, if it can nowhere else.
 * @param part the answer's tokens, which an engine may not have told
 */
export function placeToGoOn(
  engine: EngineAnswer,
  part: EngineTokens,
  { asked, prompt, streams, parse }: Resumed,
): PlaceToGoOn | null {
  const { members, tools } = asked;
  const stops = [members.stop ?? []].flat().filter((stop) => typeof stop === "string");
  const names = (tools ?? []).flatMap(({ function: called }) =>
    isJsonObject(called) && typeof called.name === "string" ? [called.name] : [],
  );
  const isFree = prompt !== null && !isConstrained(asked);
  const place = isFree ? engine.placeToGoOn(streams, stops, names) : null;
  const { length } = part.completion_ids ?? [];
  if (place !== null && place.tokens <= length) return place;
  if (!streams || !engine.hasPieces) return beginning;
  return isFree && parse !== null ? engine.placeWithinCall(length, unreadCalls) : null;
}

const beginning: PlaceToGoOn = { tokens: 0, pieces: 0, calls: 0, rest: [], inCalls: null };

/** Whether an engine would begin the answer's grammar again if it were asked to go on. */
function isConstrained({ members }: ChatRequest): boolean {
  const { tool_choice = "auto" } = members;
  const isFree = tool_choice === "auto" || tool_choice === "none";
  return !isFree || grammars.some((name) => members[name] !== undefined);
}

/** Limits of the whole answer, as those of what follows these tokens; within a call, the engine parses none. */
export function membersBehind(tokens: number, members: JsonObject, isInCall: boolean): JsonObject {
  const limits = ["max_tokens", "max_completion_tokens", "min_tokens"].flatMap((name) => {
    const limit = members[name];
    const least = name === "min_tokens" ? 0 : 1;
    return typeof limit === "number" ? [[name, Math.max(least, limit - tokens)] as const] : [];
  });
  return { ...Object.fromEntries(limits), ...(isInCall ? { tool_choice: "none" } : {}) };
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
