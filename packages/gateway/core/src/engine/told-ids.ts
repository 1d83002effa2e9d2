import { isTokenId, type WrongIds } from "@proj/model-apis/tokens";
import type { EngineEnd } from "../prompts/index.ts";

export const areIds = (told: ArrayLike<number>): boolean => Array.from(told).every(isTokenId);

/**
 * What is wrong with the ids of an answer.
 * @param told null: the engine told none
 * @param counted how many tokens the engine says that it sampled; null: it does not say
 */
export function wrongIds(told: ArrayLike<number> | null, counted: number | null): WrongIds | null {
  if (told === null) return counted === 0 ? null : "missing";
  if (!areIds(told)) return "not_ids";
  return counted === null || counted === told.length ? null : "miscounted";
}

/** Nothing may continue an answer whose tokens are not known, or that does not end where the model ended its turn. */
export function whyCut(end: EngineEnd | null, wrong_ids: WrongIds | null): string | null {
  if (end === null) return "broken_off";
  if (end.stop_sequence !== null) return "stop_sequence";
  if (end.finish_reason !== "stop" && end.finish_reason !== "tool_calls") return end.finish_reason;
  return wrong_ids === null ? null : "wrong_ids";
}
