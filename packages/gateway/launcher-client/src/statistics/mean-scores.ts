import type { SaidScore } from "./agreements.ts";

/**
 * A named score of each session: the mean over all numbers that were said, or over those of one author.
 * @param author such as `judge:strict`; null: all
 */
export function meanScores(
  scores: Iterable<SaidScore>,
  name: string,
  author: string | null,
): ReadonlyMap<string, number> {
  const found = new Map<string, { total: number; n: number }>();
  for (const score of scores) {
    const isAsked = score.name === name && (author === null || score.author === author);
    if (!isAsked || score.value === null) continue;
    const { total, n } = found.get(score.session_id) ?? { total: 0, n: 0 };
    found.set(score.session_id, { total: total + score.value, n: n + 1 });
  }
  return new Map([...found].map(([session_id, { total, n }]) => [session_id, total / n]));
}
