import type { EnvironmentRow, EnvironmentStatus } from "./environment-row.ts";
import type { AttemptPage, AttemptQuery, JobSummary, UsagePage, UsageQuery } from "./job-pages.ts";
import type { ScorePage, ScoreQuery } from "./score.ts";
import type { SessionStore, StoredStep } from "./store.ts";
import type { ToolStepPage, ToolStepQuery } from "./tool-step.ts";

/**
 * The reads of a viewer, except those of the steps themselves. Every read is quick, whatever is stored: the number of
 * rows is bounded, and payloads are cut.
 */
export interface StoreBrowser {
  /** Sessions by their latest matching step, newest first. */
  findSessions(query: SessionSearch): Promise<FoundSessions>;
  /** Attempts that made no call, in the order of their sessions' ids. */
  findUncalled(query: UncalledSearch): Promise<FoundAttempts>;
  /** Null: the session has neither rows nor an attempt. */
  readSummary(session_id: string): Promise<SessionSummary | null>;
  /** A session's rows as stored, in the order of their `id`. */
  readRows(query: RowQuery): Promise<RowPage>;
  /** All jobs, newest first. */
  readJobs(): Promise<readonly JobSummary[]>;
  readJob(job_id: string): Promise<JobSummary | null>;
  /** A page of a job's attempts, in the order of (simulation_id, attempt). */
  readAttempts(query: AttemptQuery): Promise<AttemptPage>;
  /** The same as `JobStore.readUsage`. */
  readUsage(query: UsageQuery): Promise<UsagePage>;
  /** The simulations beside a session's own; null: no launcher started it. */
  readNeighbours(session_id: string): Promise<Neighbours | null>;
  /** The same as `JobStore.readScores`. */
  readScores(query: ScoreQuery): Promise<ScorePage>;
  /** Calls of tools and their results, in the order of the rows. */
  readToolSteps(query: ToolStepQuery): Promise<ToolStepPage>;
}

/** A gateway's storage, with the reads of viewers. */
export interface BrowsableStore extends SessionStore {
  readonly browser: StoreBrowser;
}

export interface SessionSearch {
  /** Only steps with a smaller `id`: `next_before` of the previous read. @default from the latest step */
  readonly before?: number | undefined;
  /** At most this many sessions. @default 50, at most 200 */
  readonly limit?: number | undefined;
  readonly model?: string | undefined;
  readonly job_id?: string | undefined;
  readonly group_id?: string | undefined;
  readonly status_code?: number | undefined;
  /** Failed steps; if a text is given, only those with it in their metadata. */
  readonly error?: string | true | undefined;
  /** The name of a tool that the answer calls. */
  readonly tool?: string | undefined;
  /** Sessions of attempts with a reward in this range. */
  readonly reward?: RewardBound | undefined;
  /** Sessions of attempts in this state. */
  readonly status?: EnvironmentStatus | undefined;
  /** Sessions of attempts that failed with this code, or for this `FailureCause`. */
  readonly cause?: string | undefined;
  /**
   * A text in the session's id, the name of its simulation, what the request adds, or the answer; ASCII letter case is
   * ignored.
   */
  readonly text?: string | undefined;
}

export interface UncalledSearch
  extends Pick<SessionSearch, "limit" | "job_id" | "group_id" | "reward" | "status" | "cause"> {
  /** Only sessions with a larger id. @default from the first */
  readonly after?: string | undefined;
  /** A text in the session's id or the name of its simulation. */
  readonly text?: string | undefined;
}

export interface FoundAttempts {
  readonly session_ids: readonly string[];
  /** `after` for the next read, which may find more even if this one found nothing; null at the end. */
  readonly next_after: string | null;
}

export interface RewardBound {
  readonly operator: "<" | "<=" | "=" | ">=" | ">";
  readonly value: number;
}

export interface FoundSessions {
  /** Each only once. A later read may find one again, by an earlier step. */
  readonly session_ids: readonly string[];
  /** `before` for the next read, which may find more even if this one found nothing; null at the end. */
  readonly next_before: number | null;
}

export interface SessionSummary {
  readonly session_id: string;
  readonly models: readonly string[];
  /** Stored calls, including side calls. */
  readonly calls: number;
  /** The number of latest calls that the counts below cover. */
  readonly counted_calls: number;
  readonly errors: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  /** In nano-dollars (10^-9 US dollars). */
  readonly cost_nano_usd: number;
  readonly first_at: string;
  readonly last_at: string;
  /** Null: it made no call, and its times are those of its attempt. */
  readonly last_step: StoredRow | null;
  readonly environment: EnvironmentRow | null;
}

/** Simulations of the same job, each by its newest attempt, in the order of their ids. */
export interface Neighbours {
  readonly next: Neighbour | null;
  readonly previous: Neighbour | null;
  /** Those of the same group, at most `maxSiblings`; empty without a group. */
  readonly group: readonly Neighbour[];
}

export type Neighbour = Pick<
  EnvironmentRow,
  "session_id" | "simulation_id" | "attempt" | "status" | "reward"
>;

/** How many simulations of a group are read beside one of them. */
export const maxSiblings: number = 64;

export interface RowQuery {
  readonly session_id: string;
  /** Only rows with a larger `id`. @default 0 */
  readonly after?: number | undefined;
  /** @default 100, at most 1000, and 40 with payloads */
  readonly limit?: number | undefined;
  /** Whether to read payloads; a column larger than `maxShownBytes` is null even then. @default false */
  readonly payload?: boolean | undefined;
}

/** The largest column that is read for display, in bytes. */
export const maxShownBytes: number = 256 * 1024;

export interface RowPage {
  readonly rows: readonly StoredRow[];
  /** `after` for the next page; null at the end. */
  readonly next_after: number | null;
}

/**
 * A row as stored: `messages` is what it adds to the row `messages_base`, with which it shares the first
 * `messages_shared` bytes; its `request` is null if it equals that row's.
 */
export interface StoredRow
  extends Pick<
    StoredStep,
    | "id"
    | "request_id"
    | "model"
    | "step_id"
    | "status_code"
    | "reward"
    | "is_terminal"
    | "is_truncated"
    | "created_at"
    | "meta_json"
    | "request"
    | "response"
    | "messages"
  > {
  readonly messages_base: number | null;
  readonly messages_shared: number | null;
  /** Sizes of the stored columns; null: the column is null. */
  readonly request_bytes: number | null;
  readonly response_bytes: number | null;
  readonly messages_bytes: number | null;
}
