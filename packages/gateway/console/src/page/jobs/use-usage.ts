import type { AttemptUsage } from "@proj/session-store";
import type { UsageBody } from "@proj/session-store/answers";
import { readPages } from "../data/read-pages.ts";
import type { Source } from "../data/source.ts";
import { useAnswer } from "../data/use-answer.ts";

/** Tokens are in the rows themselves, so summing them up reads every row of the job. */
const refreshMs = 30_000;

/** What each attempt of a job used, by session; null: not read yet, or it cannot be read. */
export function useUsage(
  job_id: string,
  isOver: boolean,
): ReadonlyMap<string, AttemptUsage> | null {
  return useAnswer(
    `usage ${job_id} ${isOver}`,
    (source, signal) => readUsage(source, job_id, signal),
    isOver ? 0 : refreshMs,
  ).body;
}

/** What each attempt used, by session. */
export async function readUsage(source: Source, job_id: string, signal: AbortSignal) {
  const pages = await readPages<UsageBody>(source, job_id, "usage", signal);
  const attempts = pages.flatMap((page) => page.attempts);
  return new Map(attempts.map((attempt) => [attempt.session_id, attempt]));
}
