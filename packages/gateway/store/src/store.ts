import type { StepBody, StepsBody } from "@proj/gateway-protocol";
import type { EnvironmentRow } from "./environment-row.ts";
import type { JobFeedPage, JobFeedQuery } from "./finished-groups.ts";
import type { RouteChange, RouteReport, RouteState, RoutesOfAll } from "./route-state.ts";
import type { SessionFork } from "./session-fork.ts";

/**
 * The storage of sessions, as gateway and launcher see it. Records use the names of the columns; JSON is text, times
 * are ISO 8601 UTC with milliseconds.
 */
export interface SessionStore {
  readonly storage_type: "sqlite" | "cloud";
  /** Whether other gateways may use it at the same time. */
  readonly isShared: boolean;
  /** Random, created with the schema: tells whether two processes use the same database. */
  readonly storage_id: string;

  /**
   * Commits all rows in one transaction, in order, and returns one result for each. Idempotent by `request_id`. Make
   * only one call at a time, and do not change the rows' bytes until it settles.
   * @throws StoreUnavailableError it is unknown whether the batch is stored; send it again
   * @throws Error a row cannot be stored at all, so nothing of the batch is stored
   */
  writeSteps(rows: readonly StepRow[], options: WriteOptions): Promise<readonly StepWritten[]>;

  /**
   * Corrects stored steps: status, metadata, and a response that was made later.
   * @throws StoreUnavailableError
   */
  amendSteps(amendments: readonly StepAmendment[]): Promise<void>;

  /**
   * Takes over a session before it is read: from then on, rows with another epoch, from another gateway or from
   * earlier, are refused. Idempotent.
   */
  bindSession(session_id: string): Promise<SessionBinding>;
  /**
   * The session's current binding, to this gateway or another; null: it has none. Concurrent calls share one query.
   */
  readBinding(session_id: string): Promise<SessionBinding | null>;
  /** Closes a session for every gateway, whichever it belonged to. Idempotent. */
  closeSession(session_id: string): Promise<void>;
  /** Lets a closed session be bound as an open one again. Idempotent. */
  reopenSession(session_id: string): Promise<void>;

  /**
   * Makes a session begin from another session's record, unless it already begins from one.
   * @returns the record that it begins from now; an earlier one wins
   */
  forkSession(fork: SessionFork): Promise<SessionFork>;
  /** Null: the session does not begin from a record. */
  readFork(session_id: string): Promise<SessionFork | null>;

  /** A session's counts so far, its environment, and the record that it begins from. */
  readSession(session_id: string): Promise<StoredSession>;
  /** The environments of these sessions, in any order, without those that do not exist. */
  findEnvironments(session_ids: readonly string[]): Promise<readonly EnvironmentRow[]>;
  /** The latest responses of a session that upstreams may have kept, at most 4096, oldest first. */
  readResponses(session_id: string): Promise<readonly StoredResponse[]>;
  /** The same for its conversations. */
  readConversations(session_id: string): Promise<readonly StoredConversation[]>;
  /** Stores where a conversation of a session is. Idempotent. */
  keepConversation(session_id: string, conversation: StoredConversation): Promise<void>;
  /** The same as `JobStore.readFeed`. */
  readFeed(query: JobFeedQuery): Promise<JobFeedPage | null>;
  /** The largest step with status 200, or null. Calls with a negative number are not steps. */
  readLatestSuccessStep(of: SessionModel): Promise<number | null>;
  /** Stored steps in the order of their `id`, paged by key. */
  readSteps(query: StepQuery): Promise<StepPage>;
  /** The states of routes that were ever paused or told their weights. */
  readRoutes(): Promise<readonly RouteState[]>;
  /** Changes the state of a route for all gateways of this storage. Returns the new state. */
  changeRoute(change: RouteChange): Promise<RouteState>;
  /** Reports to the other gateways how far this one obeys, and returns their last reports. */
  exchangeRoutes(reports: readonly RouteReport[]): Promise<RoutesOfAll>;
  /** Tells the other gateways not to wait for this one. */
  leaveRoutes(): Promise<void>;
  /**
   * Resolves if the storage can be read and is still the one that was opened. Writes nothing.
   * @throws StoreUnavailableError
   */
  check(): Promise<void>;
  /** Measures the storage's file; null: the storage is a server, which measures itself. Never rejects. */
  measure(): Promise<StorageMeasures | null>;
  /** Resolves if the storage can be written and read. @throws StoreUnavailableError */
  ping(): Promise<void>;
  /** Waits for operations in progress, then releases everything. */
  close(): Promise<void>;
}

export interface StorageMeasures {
  readonly wal_bytes: number;
  /** On the disk that holds the file. */
  readonly free_bytes: number;
  /** Since the start: how often the WAL was moved into the database, and how long that took in all. */
  readonly checkpoints: number;
  readonly checkpoint_seconds: number;
}

/** A session's steps of one model. */
export interface SessionModel {
  readonly session_id: string;
  readonly model: string;
}

/** A step as the gateway writes it; the columns for rewards and ends keep their defaults. */
export interface StepRow {
  readonly request_id: string;
  readonly session_id: string;
  readonly model: string;
  /** Counts from 1; negative for a recorded call that is not a step. */
  readonly step_id: number;
  /** The epoch of the binding under which the step was taken; null: its session could not be bound then. */
  readonly epoch: number | null;
  readonly status_code: number;
  readonly env_name: string | null;
  readonly job_id: string | null;
  readonly group_id: string | null;
  readonly created_at: string;
  readonly meta_json: string;
  /** UTF-8 JSON text in each; null: the payload was not captured. */
  readonly request: Uint8Array | null;
  readonly response: Uint8Array | null;
  readonly messages: Uint8Array | null;
  /** Null: the row is whole. */
  readonly history: SharedHistory | null;
}

/**
 * What a row shares with an earlier row of its session that is stored with its payload. Then its own `messages` are
 * the rest, and its `request` is null if it equals the earlier one's.
 */
export interface SharedHistory {
  /** The earlier row's `id` and `request_id`: a database that has lost the row may give its `id` to another one. */
  readonly messages_base: number;
  readonly base_request_id: string;
  /** How many bytes at the start of `messages` both have. */
  readonly messages_shared: number;
}

export interface WriteOptions {
  /** By `monotonicMs`; nothing is committed after it. */
  readonly deadline: number;
}

export interface StepWritten {
  readonly request_id: string;
  /** The row's `id`; null: no row is stored. */
  readonly id: number | null;
  /** The number under which the step is stored; differs from the given one if that was taken. */
  readonly step_id: number;
  /**
   * `without_payload`: the database refused the row's content, so only its columns are stored. `moved`: nothing is
   * stored, because the session now belongs to another gateway.
   */
  readonly stored: "whole" | "without_payload" | "moved";
}

export interface SessionBinding {
  /** Larger than the epoch of every gateway that had the session before. */
  readonly epoch: number;
  /** When a gateway closed it; null: it is open. */
  readonly closed_at: string | null;
  /** When it was last closed, even if it was opened again since; null: never. */
  readonly last_closed_at: string | null;
}

export interface StepAmendment {
  readonly request_id: string;
  readonly status_code: number;
  readonly meta_json: string;
  /** Replaces the stored response, as JSON. @default null: that one stays */
  readonly answer?: string | null;
}

export interface StoredSession {
  readonly models: readonly StoredModel[];
  readonly environment: EnvironmentRow | null;
  /** Null: it does not begin from a record. */
  readonly fork: SessionFork | null;
}

/** Steps whose usage or price is not known, and what they held of a budget, which counts as used. */
export interface Unpriced {
  readonly steps: number;
  readonly tokens: number;
  readonly nano_usd: number;
}

export interface StoredModel {
  readonly model: string;
  /** The largest stored step number. */
  readonly steps: number;
  /** Steps that count against no budget: a retry returned what the step before it had taken. */
  readonly returned_steps: number;
  /** Left out if there are none. */
  readonly unpriced?: Unpriced | undefined;
  /** How many stored calls are not steps; their numbers count down from -1. */
  readonly rows_besides_steps: number;
  readonly successes: number;
  /** Steps that another session's record answered. */
  readonly replayed_steps: number;
  readonly latest_success_step: number | null;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  /** In nano-dollars (10^-9 US dollars). */
  readonly cost_nano_usd: number;
}

/** A response that an upstream may have kept, with the step that created it. */
export interface StoredResponse {
  readonly response_id: string;
  readonly request_id: string;
  readonly model: string;
  readonly step_id: number;
  readonly replica: string | null;
  /** The step's `meta_json` if the response was still being made; null: it is complete. */
  readonly pending_meta_json: string | null;
  /** False: the upstream was asked not to keep it. */
  readonly is_stored: boolean;
  /** The API that it was made in; null: the row does not say. */
  readonly endpoint: string | null;
  /** The conversation that its answer belongs to; null: none, or the answer did not come. */
  readonly conversation_id: string | null;
}

/** A conversation that an upstream keeps, by the route and replica that made it. */
export interface StoredConversation {
  readonly conversation_id: string;
  readonly model: string;
  readonly replica: string | null;
}

export interface StepQuery {
  readonly session_id: string;
  readonly model?: string | undefined;
  /** Only the row of this request. */
  readonly request_id?: string | undefined;
  /** Only rows with a larger `id`. @default 0 */
  readonly after?: number | undefined;
  /** At most this many rows; a page also ends once it holds 8 MiB of payload. @default 100 */
  readonly limit?: number | undefined;
}

export type StepPage = StepsBody;

/** A row of `session_steps`, for readers. */
export type StoredStep = StepBody;
