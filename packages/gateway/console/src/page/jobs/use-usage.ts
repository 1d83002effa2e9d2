import type { AttemptUsage } from "@proj/session-store";
import type { UsageBody } from "@proj/session-store/answers";
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
  const used = new Map<string, AttemptUsage>();
  const path = `/v1/jobs/${encodeURIComponent(job_id)}/usage`;
  for (let after: string | null = ""; after !== null; ) {
    const page: UsageBody = await source.ask<UsageBody>(
      `${path}${after === "" ? "" : `?after=${encodeURIComponent(after)}`}`,
      signal,
    );
    for (const attempt of page.attempts) used.set(attempt.session_id, attempt);
    after = page.next_after;
  }
  return used;
}
