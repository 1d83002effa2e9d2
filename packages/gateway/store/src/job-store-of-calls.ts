import { monotonicMs } from "@proj/database";
import type { JobStore, NewSimulation } from "./job-store.ts";
import { checkReward } from "./queries/jobs/commit-reward.ts";
import { type JobCalls, jobFunctions } from "./queries/jobs/job-calls.ts";
import { firstOf, type RetryKey } from "./queries/jobs/retry-failed.ts";
import { callsOf, type MakeCall } from "./queries/query-calls.ts";

const rowsPerTransaction = 500;
const maxClaim = 10_000;

interface JobStoreParts
  extends Pick<JobStore, "storage_type" | "storage_id" | "readSteps" | "close"> {
  readonly call: MakeCall<JobCalls>;
}

/** A JobStore over any database: all databases share the limits on one request. */
export function jobStoreOfCalls({ call, ...parts }: JobStoreParts): JobStore {
  return {
    ...parts,
    ...callsOf<JobCalls>(jobFunctions, call),

    /** Uses several transactions, so that nobody waits long for the lock. */
    async addSimulations(job_id, simulations) {
      const created_at = new Date().toISOString();
      let added = 0;
      for (let first = 0; first < simulations.length; ) {
        const end = endOfBatch(simulations, first);
        const batch = simulations.slice(first, end);
        added += await call("addSimulations", { job_id, created_at, simulations: batch });
        first = end;
      }
      return added;
    },

    async claim({ job_id, owner, limit }) {
      const rows = Math.min(Math.trunc(limit), maxClaim);
      return rows >= 1 ? call("claim", { job_id, owner, limit: rows }) : [];
    },

    async heartbeat(owner, session_ids) {
      return session_ids.length === 0 ? [] : call("heartbeat", { owner, session_ids });
    },

    interruptStale: (job_id, stale_after_ms) =>
      call("interruptStale", { job_id, stale_after_ms, asked_at: monotonicMs() }),

    async interrupt(owner, session_ids) {
      return session_ids.length === 0 ? [] : call("interrupt", { owner, session_ids });
    },

    async retryFailed(job_id, max_attempts, max_infrastructure_attempts = 0) {
      const limit = rowsPerTransaction;
      let added = 0;
      for (let after: RetryKey | null = firstOf("failed"); after !== null; ) {
        const request = { job_id, max_attempts, max_infrastructure_attempts, after, limit };
        const retried: JobCalls["retryFailed"]["reply"] = await call("retryFailed", request);
        added += retried.added;
        after = retried.next_after;
      }
      return added;
    },

    async pruneSessions(pruning) {
      if (pruning.session_ids.length === 0) return 0;
      let rows = 0;
      for (let below: number | null = Number.MAX_SAFE_INTEGER; below !== null; ) {
        const part: JobCalls["prunePart"]["reply"] = await call("prunePart", { ...pruning, below });
        rows += part.rows;
        below = part.next_below;
      }
      return rows;
    },

    async commitReward(commit) {
      checkReward(commit);
      return call("commitReward", commit);
    },

    async writeScores(scores) {
      for (const { name, value, label } of scores) {
        const isGiven = value === null ? label !== null : Number.isFinite(value);
        if (!isGiven) throw new TypeError(`score '${name}' has neither a finite value nor a label`);
      }
      if (scores.length > 0) await call("writeScores", scores);
    },

    async writeReview(review) {
      await call("writeReview", review);
    },

    async replaceReward(replacement) {
      checkReward(replacement);
      return call("replaceReward", replacement);
    },
  };
}

/** A batch never ends within a group: the part added first could finish alone and look like the whole group. */
function endOfBatch(simulations: readonly NewSimulation[], first: number): number {
  let end = Math.min(first + rowsPerTransaction, simulations.length);
  const group_id = simulations[end - 1]?.group_id ?? null;
  while (group_id !== null && simulations[end]?.group_id === group_id) end += 1;
  return end;
}
