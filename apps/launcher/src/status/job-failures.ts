import { type FailureGroup, readFailures } from "@proj/launcher-client";
import type { JobStore } from "@proj/session-store";

/** The attempts of a job that ended without a reward, by their errors. */
export interface JobFailures {
  readonly failures: readonly FailureGroup[];
  /** Those that the infrastructure failed. */
  readonly infrastructure_failures: readonly FailureGroup[];
}

export async function readJobFailures(
  store: Pick<JobStore, "readEnvironments">,
  job_id: string,
): Promise<JobFailures> {
  return {
    failures: await readFailures(store, job_id),
    infrastructure_failures: await readFailures(store, job_id, "infrastructure"),
  };
}
