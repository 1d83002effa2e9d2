import { monotonicMs } from "@proj/database";
import type { EnvironmentRow } from "./environment-row.ts";
import { JobReaderOfCalls, type JobReaderParts } from "./job-reader-of-calls.ts";
import type {
  AttemptFailure,
  Claim,
  JobStore,
  NewSimulation,
  RewardCommit,
  RewardCommitOutcome,
  RewardReplacement,
  RewardReplacementOutcome,
} from "./job-store.ts";
import { checkReward } from "./queries/jobs/commit-reward.ts";
import type { CallJob } from "./queries/jobs/job-calls.ts";
import type { Retried } from "./queries/jobs/retry-failed.ts";
import type { SessionFork } from "./session-fork.ts";

const rowsPerTransaction = 500;
const largestClaim = 10_000;

export interface JobStoreParts extends JobReaderParts {
  readonly call: CallJob;
}

/** A JobStore over any database: all databases share the limits on one request. */
export class JobStoreOfCalls extends JobReaderOfCalls implements JobStore {
  readonly #call: CallJob;

  constructor(parts: JobStoreParts) {
    super(parts);
    this.#call = parts.call;
  }

  /** Uses several transactions, so that nobody waits long for the lock. */
  async addSimulations(job_id: string, simulations: readonly NewSimulation[]): Promise<number> {
    const created_at = new Date().toISOString();
    let added = 0;
    for (let first = 0; first < simulations.length; ) {
      const end = endOfBatch(simulations, first);
      const batch = simulations.slice(first, end);
      added += await this.#call("addSimulations", { job_id, created_at, simulations: batch });
      first = end;
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
    return this.#call("interruptStale", { job_id, stale_after_ms, asked_at: monotonicMs() });
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

  readFork(session_id: string): Promise<SessionFork | null> {
    return this.#call("readFork", session_id);
  }

  async replaceReward(replacement: RewardReplacement): Promise<RewardReplacementOutcome> {
    checkReward(replacement);
    return this.#call("replaceReward", replacement);
  }
}

/** A batch never ends within a group: the part added first could finish alone and look like the whole group. */
function endOfBatch(simulations: readonly NewSimulation[], first: number): number {
  let end = Math.min(first + rowsPerTransaction, simulations.length);
  const group_id = simulations[end - 1]?.group_id ?? null;
  while (group_id !== null && simulations[end]?.group_id === group_id) end += 1;
  return end;
}
