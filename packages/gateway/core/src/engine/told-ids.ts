import { isTokenId, type WrongIds } from "@proj/model-apis/tokens";

export const areIds = (told: ArrayLike<number>): boolean => Array.from(told).every(isTokenId);

/**
 * What is wrong with the ids of an answer.
 * @param told null: the engine told none
 * @param counted how many tokens the engine says that it sampled; null: it does not say, nor does 0 beside ids
 */
export function wrongIds(told: ArrayLike<number> | null, counted: number | null): WrongIds | null {
  if (told === null) return counted === 0 ? null : "missing";
  if (!areIds(told)) return "not_ids";
  return counted === null || counted === 0 || counted === told.length ? null : "miscounted";
}
