/** The failed attempts of a job that share one cause and one error. */
export interface FailureGroup {
  readonly cause: FailureCause;
  /** The code: the part of `error` before its first colon. */
  readonly error: string;
  readonly attempts: number;
  /** At most three. */
  readonly examples: readonly FailureExample[];
}

export interface FailureExample {
  readonly session_id: string;
  readonly simulation_id: string;
  readonly attempt: number;
  readonly message: string;
}

interface GrowingGroup extends FailureGroup {
  attempts: number;
  readonly examples: FailureExample[];
}

const maxExamples = 3;

/**
 * The failed attempts of a job by their error, most frequent first; or those that the infrastructure failed.
 * @throws StoreUnavailableError
 */
export async function readFailures(
  store: Pick<JobStore, "readEnvironments">,
  job_id: string,
  status: "failed" | "infrastructure" = "failed",
): Promise<readonly FailureGroup[]> {
  const groups = new Map<string, GrowingGroup>();
  for await (const environment of jobEnvironments(store, job_id, status)) {
    const { session_id, simulation_id, attempt } = environment;
    const [error = "", ...rest] = (environment.error ?? "unknown").split(": ");
    const cause = causeOfFailure(status, environment.error);
    const key = `${cause} ${error}`;
    const group = groups.get(key) ?? { cause, error, attempts: 0, examples: [] };
    groups.set(key, group);
    group.attempts += 1;
    if (group.examples.length === maxExamples) continue;
    group.examples.push({ session_id, simulation_id, attempt, message: rest.join(": ") });
  }
  return [...groups.values()].sort((one, other) => other.attempts - one.attempts);
}

import { causeOfFailure, type FailureCause } from "@proj/gateway-protocol";
import { type JobStore, jobEnvironments } from "@proj/session-store";
