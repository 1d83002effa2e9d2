import type { EnvironmentRow } from "./environment-row.ts";
import type {
  EnvironmentPage,
  EnvironmentQuery,
  JobSummary,
  UsagePage,
  UsageQuery,
} from "./job-store.ts";
import type { SessionStore, StoredStep } from "./store.ts";

/**
 * What a viewer reads of a storage, beside the steps themselves. Every read is short, whatever is
 * stored: the rows that it looks at are bounded, and payloads are cut.
 */
export interface StoreBrowser {
  /** Sessions by their latest step that fits, the latest first. */
  findSessions(query: SessionSearch): Promise<FoundSessions>;
  /** Null: nothing is stored of the session. */
  readSummary(session_id: string): Promise<SessionSummary | null>;
  /** A session's rows as they are stored, in the order of their `id`. */
  readRows(query: RowQuery): Promise<RowPage>;
  /** All jobs, the newest first. */
  readJobs(): Promise<readonly JobSummary[]>;
  readJob(job_id: string): Promise<JobSummary | null>;
  /** Attempts of a job in the order of (simulation_id, attempt), a page of them. */
  readEnvironments(query: EnvironmentQuery): Promise<EnvironmentPage>;
  /** As a JobStore tells it. */
  readUsage(query: UsageQuery): Promise<UsagePage>;
}

/** A gateway's storage, with what viewers read of it. */
export interface BrowsableStore extends SessionStore {
  readonly browser: StoreBrowser;
}

export interface SessionSearch {
  /** Only steps with a smaller `id`: `next_before` of the read before. @default from the latest step on */
  readonly before?: number | undefined;
  /** At most this many sessions. @default 50, at most 200 */
  readonly limit?: number | undefined;
  readonly model?: string | undefined;
  readonly job_id?: string | undefined;
  readonly group_id?: string | undefined;
  readonly status_code?: number | undefined;
  /** Steps that failed; with a text, those whose metadata has it. */
  readonly error?: string | true | undefined;
  /** Name of a tool that the answer calls. */
  readonly tool?: string | undefined;
  /** Sessions of attempts with such a reward. */
  readonly reward?: RewardBound | undefined;
  /** In the session's id, in what the request adds, or in the answer; letter case does not count in ASCII. */
  readonly text?: string | undefined;
}

export interface RewardBound {
  readonly operator: "<" | "<=" | "=" | ">=" | ">";
  readonly value: number;
}

export interface FoundSessions {
  /** None of them twice. A later read may find one of them again, by an earlier step. */
  readonly session_ids: readonly string[];
  /** `before` for the next read, which may be worth it even where this one found nothing; null at the end. */
  readonly next_before: number | null;
}

export interface SessionSummary {
  readonly session_id: string;
  readonly models: readonly string[];
  /** Calls that are stored, side calls included. */
  readonly calls: number;
  /** How many of the latest calls the counts below are of. */
  readonly counted_calls: number;
  readonly errors: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  /** In nano-dollars (10^-9 US dollars). */
  readonly cost_nano_usd: number;
  readonly first_at: string;
  readonly last_at: string;
  readonly last_step: StoredRow;
  readonly environment: EnvironmentRow | null;
}

export interface RowQuery {
  readonly session_id: string;
  /** Only rows with a larger `id`. @default 0 */
  readonly after?: number | undefined;
  /** @default 100, at most 1000, and 40 with payloads */
  readonly limit?: number | undefined;
  /** Whether payloads are read; a column larger than `largestShownBytes` is null all the same. @default false */
  readonly payload?: boolean | undefined;
}

/** A column of a row that is read for people is at most this long. */
export const largestShownBytes: number = 256 * 1024;

export interface RowPage {
  readonly rows: readonly StoredRow[];
  /** `after` for the next page; null at the end. */
  readonly next_after: number | null;
}

/**
 * A row as it is stored: `messages` is what it adds to the row `messages_base`, with which it shares
 * the first `messages_shared` bytes; its `request` is null where it is that row's.
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
  /** Of the columns as stored; null: the column is. */
  readonly request_bytes: number | null;
  readonly response_bytes: number | null;
  readonly messages_bytes: number | null;
}
