import type { Score } from "@proj/session-store";
import type { ScoresBody } from "@proj/session-store/answers";
import { useMemo } from "preact/hooks";
import { readPages } from "../data/read-pages.ts";
import type { Source } from "../data/source.ts";
import { useAnswer } from "../data/use-answer.ts";

export interface ScoresBySession {
  /** In alphabetical order. */
  readonly names: readonly string[];
  /** The mean over all that was said of a session; null: nothing was. */
  of(session_id: string, name: string): number | null;
}

/** What was said about the sessions of a job; null: not read yet, or this source does not have it. */
export function useScores(job_id: string): ScoresBySession | null {
  const { body } = useAnswer(`scores ${job_id}`, (source, signal) =>
    readScores(source, job_id, signal),
  );
  return useMemo(() => (body === null ? null : meansOf(body)), [body]);
}

/** All that was said about the sessions of a job. */
export async function readScores(
  source: Source,
  job_id: string,
  signal: AbortSignal,
): Promise<readonly Score[]> {
  const pages = await readPages<ScoresBody>(source, job_id, "scores", signal);
  return pages.flatMap(({ scores }) => scores);
}

function meansOf(said: readonly Score[]): ScoresBySession {
  const values = new Map<string, Map<string, number[]>>();
  for (const { session_id, name, value } of said) {
    if (value === null) continue;
    const ofName = values.get(name) ?? new Map<string, number[]>();
    values.set(name, ofName);
    ofName.set(session_id, [...(ofName.get(session_id) ?? []), value]);
  }
  return {
    names: [...values.keys()].sort(),
    of: (session_id, name) => {
      const found = values.get(name)?.get(session_id);
      return found === undefined ? null : found.reduce((sum, one) => sum + one, 0) / found.length;
    },
  };
}
