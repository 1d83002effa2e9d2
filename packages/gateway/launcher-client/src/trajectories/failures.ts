/** The failed attempts of a job that share one error. */
export interface FailureGroup {
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
  const groups = new Map<string, { attempts: number; examples: FailureExample[] }>();
  for await (const environment of jobEnvironments(store, job_id, status)) {
    const { session_id, simulation_id, attempt } = environment;
    const [code = "", ...rest] = (environment.error ?? "unknown").split(": ");
    const group = groups.get(code) ?? { attempts: 0, examples: [] };
    groups.set(code, group);
    group.attempts += 1;
    if (group.examples.length === maxExamples) continue;
    group.examples.push({ session_id, simulation_id, attempt, message: rest.join(": ") });
  }
  return [...groups]
    .map(([error, group]) => ({ error, ...group }))
    .sort((one, other) => other.attempts - one.attempts);
}

import { type JobStore, jobEnvironments } from "@proj/session-store";
