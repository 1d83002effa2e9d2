import type { EnvironmentRow, EnvironmentStatus } from "./environment-row.ts";
import type { EnvironmentPage } from "./job-pages.ts";
import type { JobStore } from "./job-store.ts";

/** The attempts of a job with one status, or all, in the order of (simulation_id, attempt), read page by page. */
export async function* jobEnvironments(
  store: Pick<JobStore, "readEnvironments">,
  job_id: string,
  status?: EnvironmentStatus,
): AsyncGenerator<EnvironmentRow, void, undefined> {
  let after: EnvironmentPage["next_after"] | undefined;
  while (after !== null) {
    const page: EnvironmentPage = await store.readEnvironments({
      job_id,
      status,
      after,
      limit: 1000,
    });
    yield* page.environments;
    after = page.next_after;
  }
}
