import type {
  AttemptFailure,
  Claim,
  EnvironmentPage,
  EnvironmentQuery,
  JobStore,
  JobSummary,
  NewSimulation,
  RewardCommit,
  RewardCommitOutcome,
} from "./job-store.ts";
import { checkReward } from "./queries/jobs/commit-reward.ts";
import type { CallJob } from "./queries/jobs/job-calls.ts";
import type { Retried } from "./queries/jobs/retry-failed.ts";
import type { EnvironmentRow, StepPage, StepQuery } from "./store.ts";

const rowsPerTransaction = 500;
const largestClaim = 10_000;

export interface JobStoreParts {
  readonly storage_type: JobStore["storage_type"];
  readonly storage_id: string;
  readonly call: CallJob;
  readonly readSteps: (query: StepQuery) => Promise<StepPage>;
  readonly close: () => Promise<void>;
}

/** A JobStore over whatever database: the bounds of what is asked at once are the same for all. */
export class JobStoreOfCalls implements JobStore {
  readonly storage_type: JobStore["storage_type"];
  readonly storage_id: string;
  readonly readSteps: JobStoreParts["readSteps"];
  readonly close: JobStoreParts["close"];
  readonly #call: CallJob;

  constructor({ storage_type, storage_id, call, readSteps, close }: JobStoreParts) {
    this.storage_type = storage_type;
    this.storage_id = storage_id;
    this.readSteps = readSteps;
    this.close = close;
    this.#call = call;
  }

  /** In transactions of its own each, so that nobody waits long for the lock. */
  async addSimulations(job_id: string, simulations: readonly NewSimulation[]): Promise<number> {
    const created_at = new Date().toISOString();
    let added = 0;
    for (let first = 0; first < simulations.length; first += rowsPerTransaction) {
      const batch = simulations.slice(first, first + rowsPerTransaction);
      added += await this.#call("addSimulations", { job_id, created_at, simulations: batch });
    }
    return added;
  }

  async claim({ job_id, owner, limit }: Claim): Promise<readonly EnvironmentRow[]> {
    const rows = Math.min(Math.trunc(limit), largestClaim);
    return rows >= 1 ? this.#call("claim", { job_id, owner, limit: rows }) : [];
  }

  async heartbeat(owner: string, session_ids: readonly string[]): Promise<readonly string[]> {
    return session_ids.length === 0 ? [] : this.#call("heartbeat", { owner, session_ids });
  }

  interruptStale(job_id: string, stale_after_ms: number): Promise<readonly EnvironmentRow[]> {
    return this.#call("interruptStale", { job_id, stale_after_ms });
  }

  async interrupt(
    owner: string,
    session_ids: readonly string[],
  ): Promise<readonly EnvironmentRow[]> {
    return session_ids.length === 0 ? [] : this.#call("interrupt", { owner, session_ids });
  }

  async retryFailed(job_id: string, max_attempts: number): Promise<number> {
    const limit = rowsPerTransaction;
    let added = 0;
    for (let after: string | null = ""; after !== null; ) {
      const retried: Retried = await this.#call("retryFailed", {
        job_id,
        max_attempts,
        after,
        limit,
      });
      added += retried.added;
      after = retried.next_after;
    }
    return added;
  }

  fail(failure: AttemptFailure): Promise<boolean> {
    return this.#call("fail", failure);
  }

  async commitReward(commit: RewardCommit): Promise<RewardCommitOutcome> {
    checkReward(commit);
    return this.#call("commitReward", commit);
  }

  readEnvironments(query: EnvironmentQuery): Promise<EnvironmentPage> {
    return this.#call("readEnvironments", query);
  }

  readEnvironment(session_id: string): Promise<EnvironmentRow | null> {
    return this.#call("readEnvironment", session_id);
  }

  readJob(job_id: string): Promise<JobSummary | null> {
    return this.#call("readJob", job_id);
  }

  readJobs(): Promise<readonly JobSummary[]> {
    return this.#call("readJobs", undefined);
  }

  hasStep(session_id: string, model: string, step_id: number): Promise<boolean> {
    return this.#call("hasStep", { session_id, model, step_id });
  }

  readLargestSuccessStep(session_id: string, model: string): Promise<number | null> {
    return this.#call("readLargestSuccessStep", { session_id, model });
  }
}
