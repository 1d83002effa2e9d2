import type { EnvironmentRow, EnvironmentStatus } from "./environment-row.ts";
import type { JobFeedPage, JobFeedQuery } from "./finished-groups.ts";
import type { ForkOrigin, SessionFork } from "./session-fork.ts";
import type { StepPage, StepQuery } from "./store.ts";

/**
 * The storage of jobs as launchers see it: the environments of their simulations, one row for each
 * attempt, and what the sessions of those recorded. Times are the storage's own.
 *
 * A simulation is claimed by one conditional update, and all that a launcher writes later of it is
 * conditional on the claim: a launcher that was away for too long writes nothing.
 *
 * Every method throws a StoreUnavailableError where the storage cannot be reached in time; a write
 * that failed so may have happened, and is safe to repeat.
 */
export interface JobStore {
  readonly storage_type: "sqlite" | "cloud";
  /** Random, made with the schema: tells whether two processes look at the same database. */
  readonly storage_id: string;

  /**
   * Adds the first attempt of each simulation that the job does not have yet, in order.
   * @returns how many were added
   */
  addSimulations(job_id: string, simulations: readonly NewSimulation[]): Promise<number>;

  /** Takes up to `limit` (at most 10000) pending attempts for `owner`, the oldest first: they are running then. */
  claim(claim: Claim): Promise<readonly EnvironmentRow[]>;

  /**
   * Says that the owner of these attempts is alive.
   * @returns those that are no longer its own; what it has ended itself is not among them
   */
  heartbeat(owner: string, session_ids: readonly string[]): Promise<readonly string[]>;

  /**
   * Makes running attempts whose last heartbeat is older than `stale_after_ms` interrupted, and adds
   * the next attempt of each, in one transaction.
   * @returns the interrupted ones; their sessions are to be closed and cleaned
   */
  interruptStale(job_id: string, stale_after_ms: number): Promise<readonly EnvironmentRow[]>;

  /**
   * Gives up running attempts of this owner, because it stops: they are interrupted, and the next
   * attempt of each is added, in one transaction.
   * @returns the interrupted ones; the others were no longer the owner's
   */
  interrupt(owner: string, session_ids: readonly string[]): Promise<readonly EnvironmentRow[]>;

  /**
   * Adds another attempt of each simulation whose newest attempt failed, where fewer than
   * `max_attempts` of its attempts failed.
   * @returns how many were added
   */
  retryFailed(job_id: string, max_attempts: number): Promise<number>;

  /**
   * Ends an attempt without a reward. Repeated, it answers as before and changes nothing.
   * @returns false: it is no longer the owner's, nothing was written
   */
  fail(failure: AttemptFailure): Promise<boolean>;

  /**
   * Commits the reward and the end of the attempt in one transaction, or neither.
   * @throws TypeError the reward is not finite, or the evaluation is not a JSON object
   */
  commitReward(commit: RewardCommit): Promise<RewardCommitOutcome>;

  /**
   * Writes the reward of an attempt that has ended, in place of the one that it has: to the step that has
   * it, or else to the one named. One that failed is finished then. One transaction, or nothing.
   * @throws TypeError the reward is not finite, or the evaluation is not a JSON object
   */
  replaceReward(replacement: RewardReplacement): Promise<RewardReplacementOutcome>;

  /** Attempts of a job in the order of (simulation_id, attempt), a page of them. */
  readEnvironments(query: EnvironmentQuery): Promise<EnvironmentPage>;
  readEnvironment(session_id: string): Promise<EnvironmentRow | null>;
  /** What the session of an attempt begins from; null: it begins by itself. */
  readFork(session_id: string): Promise<SessionFork | null>;
  /** A job's state, each simulation counted by its newest attempt; null: there is no such job. */
  readJob(job_id: string): Promise<JobSummary | null>;
  /** All jobs, the newest first. */
  readJobs(): Promise<readonly JobSummary[]>;
  /** What the sessions of a job's attempts used, in the order of (simulation_id, attempt), a page of them. */
  readUsage(query: UsageQuery): Promise<UsagePage>;

  /**
   * The groups of a job whose simulations have all ended, each once, in the order in which they did. A
   * simulation that is tried again later does not bring its group back. Null: there is no such job.
   */
  readFeed(query: JobFeedQuery): Promise<JobFeedPage | null>;

  /** Stored steps in the order of their `id`, read by key. */
  readSteps(query: StepQuery): Promise<StepPage>;
  /** Whether a step is there to be read. */
  hasStep(session_id: string, model: string, step_id: number): Promise<boolean>;
  /** The largest step whose `meta_json.status_code` is 200, or null. */
  readLargestSuccessStep(session_id: string, model: string): Promise<number | null>;

  /** Waits for what was begun, then lets go of everything. */
  close(): Promise<void>;
}

export interface NewSimulation {
  readonly simulation_id: string;
  readonly env_name: string | null;
  /** JSON text. */
  readonly env_params: string | null;
  readonly group_id: string | null;
  /** What each of its attempts begins from. @default null: by itself */
  readonly fork?: ForkOrigin | null | undefined;
}

export interface Claim {
  readonly job_id: string;
  /** Tells this launcher from every other one. */
  readonly owner: string;
  readonly limit: number;
}

export interface AttemptFailure {
  readonly session_id: string;
  readonly owner: string;
  /** A code of snake_case words, and what people need to know after a colon. */
  readonly error: string;
  /** JSON text of what the runtime answered; null: nothing. */
  readonly result: string | null;
  /** Adds another attempt in the same transaction while fewer than this many failed. */
  readonly max_attempts: number;
}

export interface RewardCommit {
  readonly session_id: string;
  readonly owner: string;
  readonly model: string;
  /** The step that the reward is written to. */
  readonly step_id: number;
  readonly reward: number;
  /** Whether the simulation was cut off before its end. */
  readonly is_truncated: boolean;
  /** JSON text of an object, written to the step's `meta_json.eval`. */
  readonly evaluation: string;
  /** JSON text of what the runtime answered. */
  readonly result: string;
}

export interface RewardReplacement {
  readonly session_id: string;
  readonly model: string;
  /** Of the step that the reward is written to where none has one. */
  readonly step_id: number;
  readonly reward: number;
  /** Whether the simulation was cut off before its end; left as it is where a step has the reward. */
  readonly is_truncated: boolean;
  /** JSON text of an object, which replaces the step's `meta_json.eval`. */
  readonly evaluation: string;
}

/**
 * `not_ended`: there is no such attempt, or it is neither finished nor failed. `superseded`: the
 * simulation has a later attempt. `no_step`: there is no such step. Nothing was changed in these cases.
 */
export type RewardReplacementOutcome = "replaced" | "not_ended" | "superseded" | "no_step";

/**
 * `committed`: the step's row and the environment's row now say so. `already_committed`: they did
 * before, nothing was changed. `no_step`: there is no such step, nothing was changed. `not_owner`: the
 * attempt is another launcher's or has ended otherwise, nothing was changed.
 */
export type RewardCommitOutcome = "committed" | "already_committed" | "no_step" | "not_owner";

export interface EnvironmentQuery {
  readonly job_id: string;
  readonly status?: EnvironmentStatus | undefined;
  /** `next_after` of the page before. */
  readonly after?: EnvironmentKey | undefined;
  /** @default 100, at most 1000 */
  readonly limit?: number | undefined;
}

export interface EnvironmentKey {
  readonly simulation_id: string;
  readonly attempt: number;
}

export interface EnvironmentPage {
  readonly environments: readonly EnvironmentRow[];
  /** `after` for the next page; null at the end. */
  readonly next_after: EnvironmentKey | null;
}

export interface UsageQuery {
  readonly job_id: string;
  /** `next_after` of the page before. */
  readonly after?: EnvironmentKey | undefined;
}

export interface UsagePage {
  readonly attempts: readonly AttemptUsage[];
  /** `after` for the next page; null at the end. */
  readonly next_after: EnvironmentKey | null;
}

/** What the rows of an attempt's session say, those of failed steps included. */
export interface AttemptUsage {
  readonly session_id: string;
  readonly simulation_id: string;
  readonly attempt: number;
  /** Rows, also of what is not a step. */
  readonly calls: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  /** In nano-dollars (10^-9 US dollars); a step whose cost is not known counts 0. */
  readonly cost_nano_usd: number;
}

export interface JobSummary {
  readonly job_id: string;
  readonly created_at: string;
  /** When the last attempt ended that has ended; null: none has. */
  readonly finished_at: string | null;
  readonly simulations: number;
  readonly pending: number;
  readonly running: number;
  readonly finished: number;
  readonly failed: number;
  /** Attempts that were interrupted; each has a later attempt. */
  readonly interrupted_attempts: number;
  /** Of the finished simulations; null: none has a reward. */
  readonly mean_reward: number | null;
}
