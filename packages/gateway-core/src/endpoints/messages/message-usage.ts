import { tokenCount } from "../../bodies/object-facts.ts";
import type { JsonObject } from "../../json/json-object.ts";

/** The parts that a prompt is counted in; they do not overlap. */
export const promptCounts = [
  "input_tokens",
  "cache_creation_input_tokens",
  "cache_read_input_tokens",
] as const;

/** Tokens of the whole prompt; null: nothing of it was counted. */
export function promptTokens(usage: JsonObject): number | null {
  const counts = promptCounts.flatMap((name) => tokenCount(usage[name]) ?? []);
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0);
}
