import type { JobStore } from "./job-store.ts";
import type { Score, ScorePage } from "./score.ts";

/** What was said about the sessions of a job, read page by page. */
export async function* readJobScores(
  store: Pick<JobStore, "readScores">,
  job_id: string,
): AsyncGenerator<Score, void, undefined> {
  for (let after: ScorePage["next_after"] | undefined; after !== null; ) {
    const page: ScorePage = await store.readScores({ job_id, after, limit: 1000 });
    yield* page.scores;
    after = page.next_after;
  }
}
