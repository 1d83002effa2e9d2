import type { EnvironmentRow } from "./environment-row.ts";
import type { JobFeedPage, JobFeedQuery } from "./finished-groups.ts";
import type {
  EnvironmentPage,
  EnvironmentQuery,
  JobSummary,
  UsagePage,
  UsageQuery,
} from "./job-pages.ts";
import type { PrunablePage, PrunableQuery, SessionPruning } from "./prune.ts";
import type { JobReview } from "./review.ts";
import type { NewScore, ScorePage, ScoreQuery } from "./score.ts";
import type { ForkOrigin, SessionFork } from "./session-fork.ts";
import type { SessionModel, StepPage, StepQuery, StoredStep } from "./store.ts";

/**
 * The storage of jobs, for launchers: the environments of their simulations, one row for each attempt, and the
 * records of these attempts' sessions. Times come from the storage's own clock.
 *
 * One conditional update claims a simulation, and everything that a launcher writes about it later depends on that
 * claim: a launcher that was away for too long writes nothing.
 *
 * Every method throws a StoreUnavailableError if the storage cannot be reached in time. A write that failed this way
 * may have happened, and is safe to repeat.
 */
export interface JobStore {
  readonly storage_type: "sqlite" | "cloud";
  /** Random, created with the schema: tells whether two processes use the same database. */
  readonly storage_id: string;

  /**
   * Adds the first attempt of each simulation that the job does not have yet, in order.
   * @returns how many were added
   */
  addSimulations(job_id: string, simulations: readonly NewSimulation[]): Promise<number>;

  /** Takes up to `limit` (at most 10000) pending attempts for `owner`, oldest first, and marks them running. */
  claim(claim: Claim): Promise<readonly EnvironmentRow[]>;

  /**
   * Reports that the owner of these attempts is alive.
   * @returns attempts that no longer belong to it, without those that it ended itself
   */
  heartbeat(owner: string, session_ids: readonly string[]): Promise<readonly string[]>;

  /**
   * Marks running attempts with a last heartbeat older than `stale_after_ms` as interrupted, and adds the next attempt
   * of each, in one transaction.
   * @returns the interrupted attempts; their sessions should be closed and cleaned
   */
  interruptStale(job_id: string, stale_after_ms: number): Promise<readonly EnvironmentRow[]>;

  /**
   * Gives up running attempts of this owner because it is stopping: they are interrupted, and the next attempt of each
   * is added, in one transaction.
   * @returns the interrupted attempts; the others no longer belonged to the owner
   */
  interrupt(owner: string, session_ids: readonly string[]): Promise<readonly EnvironmentRow[]>;

  /**
   * Adds another attempt of each simulation that ended with a failed attempt, if fewer than `max_attempts` of its
   * attempts failed; and of each that ended with a failure of the infrastructure, if fewer than
   * `max_infrastructure_attempts` (default 0) did.
   * @returns how many were added
   */
  retryFailed(
    job_id: string,
    max_attempts: number,
    max_infrastructure_attempts?: number,
  ): Promise<number>;

  /**
   * Ends an attempt without a reward. Repeating the call gives the same answer and changes nothing.
   * @returns false: the attempt no longer belongs to the owner, and nothing was written
   */
  fail(failure: AttemptFailure): Promise<boolean>;

  /**
   * Commits the reward and the end of the attempt in one transaction: both or neither.
   * @throws TypeError the reward is not finite, or the evaluation is not a JSON object
   */
  commitReward(commit: RewardCommit): Promise<RewardCommitOutcome>;

  /**
   * Replaces the reward of an attempt that has ended: on the step that has one, otherwise on the given step. An
   * attempt that failed, or that the infrastructure failed, becomes finished. One transaction, all or nothing.
   * @throws TypeError the reward is not finite, or the evaluation is not a JSON object
   */
  replaceReward(replacement: RewardReplacement): Promise<RewardReplacementOutcome>;

  /** A page of a job's attempts, in the order of (simulation_id, attempt). */
  readEnvironments(query: EnvironmentQuery): Promise<EnvironmentPage>;
  readEnvironment(session_id: string): Promise<EnvironmentRow | null>;
  /** The latest attempt of a simulation, of the newest job that has one of that name; null: none has. */
  readLatestAttempt(simulation_id: string): Promise<EnvironmentRow | null>;
  /** The record that an attempt's session begins from; null: it begins from nothing. */
  readFork(session_id: string): Promise<SessionFork | null>;
  /** A job's state, counting each simulation by its newest attempt; null: there is no such job. */
  readJob(job_id: string): Promise<JobSummary | null>;
  /** All jobs, newest first. */
  readJobs(): Promise<readonly JobSummary[]>;
  /** A page of what the sessions of a job's attempts used, in the order of (simulation_id, attempt). */
  readUsage(query: UsageQuery): Promise<UsagePage>;

  /**
   * The groups of a job in which every simulation has ended, each once, in the order in which they ended. Retrying a
   * simulation later does not bring its group back. Null: there is no such job.
   */
  readFeed(query: JobFeedQuery): Promise<JobFeedPage | null>;

  /**
   * Writes scores, all or none; a score that its author gave before is replaced. Rewards stay as they are.
   * @throws TypeError a score has neither a finite value nor a label
   */
  writeScores(scores: readonly NewScore[]): Promise<void>;
  /** A page of what was said about the sessions of a job, in the order of their keys. */
  readScores(query: ScoreQuery): Promise<ScorePage>;
  /** Says what people are asked about a job from now on. Scores stay as they are. */
  writeReview(review: JobReview): Promise<void>;
  /** Null: people are asked nothing about the job. */
  readReview(job_id: string): Promise<JobReview | null>;

  /** Stored steps in the order of their `id`, paged by key. */
  readSteps(query: StepQuery): Promise<StepPage>;
  /** Whether the step is visible to readers. */
  hasStep(step: SessionModel & { readonly step_id: number }): Promise<boolean>;
  /** The newest recorded call of a session, of any model and whether it is a step or not; null: none. */
  readLastCall(session_id: string): Promise<LastCall | null>;
  /** The largest step whose `meta_json.status_code` is 200, or null. */
  readLargestSuccessStep(of: SessionModel): Promise<number | null>;
  /** That step, without its payload. */
  readLastSuccess(of: SessionModel): Promise<LastCall | null>;

  /** A page of the sessions that may be pruned. */
  findPrunable(query: PrunableQuery): Promise<PrunablePage>;
  /**
   * Deletes what is stored of sessions, in transactions of at most 256 rows and about 8 MiB, so that no writer waits
   * long. A session that may still run, or whose record another session begins from, is left alone. If the call is cut
   * short, the rows that are left read as before, and the same call continues.
   * @returns how many rows it deleted or emptied
   */
  pruneSessions(pruning: SessionPruning): Promise<number>;

  /** Waits for operations in progress, then releases everything. */
  close(): Promise<void>;
}

export interface NewSimulation {
  readonly simulation_id: string;
  readonly env_name: string | null;
  /** JSON text. */
  readonly env_params: string | null;
  readonly group_id: string | null;
  /** The record that each of its attempts begins from. @default null: none */
  readonly fork?: ForkOrigin | null | undefined;
}

export interface Claim {
  readonly job_id: string;
  /** Distinguishes this launcher from every other. */
  readonly owner: string;
  readonly limit: number;
}

export interface AttemptFailure {
  readonly session_id: string;
  readonly owner: string;
  /** A code of snake_case words, a colon, and an explanation for people. */
  readonly error: string;
  /** JSON text of the runtime's answer; null: it gave none. */
  readonly result: string | null;
  /** `infrastructure`: neither the agent nor its model was at fault. @default failed */
  readonly status?: "failed" | "infrastructure" | undefined;
  /** Adds another attempt in the same transaction while fewer than this many have this status. */
  readonly max_attempts: number;
}

export interface RewardCommit {
  readonly session_id: string;
  readonly owner: string;
  readonly model: string;
  /** The step that the reward is written to; null: none, because the simulation asked no model. */
  readonly step_id: number | null;
  readonly reward: number;
  /** Whether the simulation was cut off before its end. */
  readonly is_truncated: boolean;
  /** Finish reasons of an answer that was cut off: a step that has one of them is truncated too. @default none */
  readonly cut_finishes?: readonly string[];
  /** JSON text of an object, written to the step's `meta_json.eval`. */
  readonly evaluation: string;
  /** JSON text of the runtime's answer. */
  readonly result: string;
}

export interface RewardReplacement {
  readonly session_id: string;
  readonly model: string;
  /** The step to write the reward to if no step has one. */
  readonly step_id: number;
  readonly reward: number;
  /** Whether the simulation was cut off before its end; unchanged if a step already has the reward. */
  readonly is_truncated: boolean;
  /** Finish reasons of an answer that was cut off: a step that has one of them is truncated too. @default none */
  readonly cut_finishes?: readonly string[];
  /** JSON text of an object, which replaces the step's `meta_json.eval`. */
  readonly evaluation: string;
}

/**
 * `not_ended`: there is no such attempt, or it is neither finished nor failed. `superseded`: the simulation has a
 * later attempt. `no_step`: there is no such step. In these cases nothing was changed.
 */
export type RewardReplacementOutcome = "replaced" | "not_ended" | "superseded" | "no_step";

/**
 * `committed`: the step's row and the environment's row now have the reward. `already_committed`: they had it before.
 * `no_step`: there is no such step. `not_owner`: the attempt belongs to another launcher or ended in another way.
 * Except for `committed`, nothing was changed.
 */
export type RewardCommitOutcome = "committed" | "already_committed" | "no_step" | "not_owner";

export type LastCall = Pick<StoredStep, "model" | "step_id" | "status_code" | "meta_json">;
