import type { StepBody, StepsBody } from "@proj/gateway-protocol";
import type { EnvironmentRow } from "./environment-row.ts";
import type { JobFeedPage, JobFeedQuery } from "./finished-groups.ts";
import type { RouteChange, RouteReport, RouteState, RoutesOfAll } from "./route-state.ts";
import type { SessionFork } from "./session-fork.ts";

/**
 * The storage of sessions as gateway and launcher see it. Records keep the names of their columns;
 * JSON is text, times are ISO 8601 UTC with milliseconds.
 */
export interface SessionStore {
  readonly storage_type: "sqlite" | "cloud";
  /** Random, made with the schema: tells whether two processes look at the same database. */
  readonly storage_id: string;

  /**
   * Commits all rows in one transaction, in order, and answers one result for each. Idempotent by
   * `request_id`. At most one call at a time, and the rows' bytes stay as they are until it settles.
   * @throws StoreUnavailableError nothing of the batch is known to be stored; send it again
   * @throws Error a row cannot be stored at all, and so nothing of the batch is
   */
  writeSteps(rows: readonly StepRow[], options: WriteOptions): Promise<readonly StepWritten[]>;

  /**
   * Corrects what is known of steps already stored: status, metadata, and the response of one made later.
   * @throws StoreUnavailableError
   */
  amendSteps(amendments: readonly StepAmendment[]): Promise<void>;

  /**
   * Makes a session this store's own, before it is read: a row with another epoch, of another gateway
   * or of a time before, is refused from then on. Idempotent.
   */
  bindSession(session_id: string): Promise<SessionBinding>;
  /**
   * How a session is bound now, to this gateway or another; null: not at all. Calls at the same time
   * share one query.
   */
  readBinding(session_id: string): Promise<SessionBinding | null>;
  /** Closes a session for every gateway, whichever it belonged to. Idempotent. */
  closeSession(session_id: string): Promise<void>;
  /** Lets a closed session be bound again as an open one. Idempotent. */
  reopenSession(session_id: string): Promise<void>;

  /**
   * Makes a session begin from another one's record, unless it does already.
   * @returns what it begins from now: another fork where there was one before
   */
  forkSession(fork: SessionFork): Promise<SessionFork>;
  /** Null: the session begins by itself. */
  readFork(session_id: string): Promise<SessionFork | null>;

  /** What a session has counted so far, its environment, and what it begins from. */
  readSession(session_id: string): Promise<StoredSession>;
  readEnvironment(session_id: string): Promise<EnvironmentRow | null>;
  /** The latest responses of a session that upstreams may keep, 4096 at most, oldest first. */
  readResponses(session_id: string): Promise<readonly StoredResponse[]>;
  /** The same of its conversations. */
  readConversations(session_id: string): Promise<readonly StoredConversation[]>;
  /** Stores where a conversation of a session is. Idempotent. */
  keepConversation(session_id: string, conversation: StoredConversation): Promise<void>;
  /** As a JobStore tells it. */
  readFeed(query: JobFeedQuery): Promise<JobFeedPage | null>;
  /** The largest step with status 200, or null. Calls with a negative number are not steps. */
  readLatestSuccessStep(session_id: string, model: string): Promise<number | null>;
  /** Stored steps in the order of their `id`, read by key. */
  readSteps(query: StepQuery): Promise<StepPage>;
  /** The states of routes that were ever paused or told their weights. */
  readRoutes(): Promise<readonly RouteState[]>;
  /** Changes the state of a route, for all gateways of this storage. Answers the new state. */
  changeRoute(change: RouteChange): Promise<RouteState>;
  /** Tells the other gateways how far this one obeys, and answers what they told last. */
  exchangeRoutes(reports: readonly RouteReport[]): Promise<RoutesOfAll>;
  /** Tells the other gateways not to wait for this one. */
  leaveRoutes(): Promise<void>;
  /**
   * Resolves when the storage can be read and is still the one that was opened, without writing.
   * @throws StoreUnavailableError
   */
  check(): Promise<void>;
  /** How the storage's file fares; null: a server knows that better. Never rejects. */
  measure(): Promise<StorageMeasures | null>;
  /** Resolves when the storage can be written and read. @throws StoreUnavailableError */
  ping(): Promise<void>;
  /** Waits for what was begun, then lets go of everything. */
  close(): Promise<void>;
}

export interface StorageMeasures {
  readonly wal_bytes: number;
  /** Of the disk that the file is on. */
  readonly free_bytes: number;
  /** Since the start: how often the WAL was moved into the database, and how long that took in all. */
  readonly checkpoints: number;
  readonly checkpoint_seconds: number;
}

/** A step as the gateway writes it; the columns of rewards and ends keep their defaults. */
export interface StepRow {
  readonly request_id: string;
  readonly session_id: string;
  readonly model: string;
  /** From 1 on; negative for a call that is recorded and is not a step. */
  readonly step_id: number;
  /** Of the binding under which the step was taken; null: its session could not be bound then. */
  readonly epoch: number | null;
  readonly status_code: number;
  readonly env_name: string | null;
  readonly job_id: string | null;
  readonly group_id: string | null;
  readonly created_at: string;
  readonly meta_json: string;
  /** UTF-8 JSON text each; null: the payload was not captured. */
  readonly request: Uint8Array | null;
  readonly response: Uint8Array | null;
  readonly messages: Uint8Array | null;
  /** Null: the row is whole. */
  readonly history: SharedHistory | null;
}

/**
 * What a row has in common with an earlier one of its session, whose payload is stored: then its own
 * `messages` are what follows, and its `request` is null where it is the earlier one's too.
 */
export interface SharedHistory {
  /** The earlier row's `id`. */
  readonly messages_base: number;
  /** How many bytes of `messages` both begin with. */
  readonly messages_shared: number;
}

export interface WriteOptions {
  /** By `monotonicMs`; past it nothing is committed. */
  readonly deadline: number;
}

export interface StepWritten {
  readonly request_id: string;
  /** Of the row; null: none is stored. */
  readonly id: number | null;
  /** The number under which the step is stored; another than asked for where that was taken. */
  readonly step_id: number;
  /**
   * `without_payload`: the database refused the row's content, so that only its columns are stored.
   * `moved`: nothing is stored, as the session belongs to another gateway by now.
   */
  readonly stored: "whole" | "without_payload" | "moved";
}

export interface SessionBinding {
  /** Larger than that of every gateway that had the session before. */
  readonly epoch: number;
  /** When a gateway closed it; null: it is open. */
  readonly closed_at: string | null;
  /** When it was last closed, also where it was opened again since; null: never. */
  readonly last_closed_at: string | null;
}

export interface StepAmendment {
  readonly request_id: string;
  readonly status_code: number;
  readonly meta_json: string;
  /** Takes the place of the stored response, as JSON. @default null: that one stays */
  readonly answer?: string | null;
}

export interface StoredSession {
  readonly models: readonly StoredModel[];
  readonly environment: EnvironmentRow | null;
  /** Null: it begins by itself. */
  readonly fork: SessionFork | null;
}

export interface StoredModel {
  readonly model: string;
  /** The largest step number stored. */
  readonly steps: number;
  /** Steps that count against no budget: a retry gave back what the step before it had taken. */
  readonly returned_steps: number;
  /** How many calls are stored that are not steps; their numbers go down from -1. */
  readonly rows_besides_steps: number;
  readonly successes: number;
  /** Steps that the record of another session answered. */
  readonly replayed_steps: number;
  readonly latest_success_step: number | null;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  /** In nano-dollars (10^-9 US dollars). */
  readonly cost_nano_usd: number;
}

/** A response that an upstream may keep, by the step that had it made. */
export interface StoredResponse {
  readonly response_id: string;
  readonly request_id: string;
  readonly model: string;
  readonly step_id: number;
  readonly replica: string | null;
  /** The step's `meta_json`, where the response was still being made; null: it has its end. */
  readonly pending_meta_json: string | null;
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
  /** Only rows with a larger `id`. @default 0 */
  readonly after?: number | undefined;
  /** At most this many rows; a page also ends once it holds 8 MiB of payload. @default 100 */
  readonly limit?: number | undefined;
}

export type StepPage = StepsBody;

/** A row of `session_steps` as readers see it. */
export type StoredStep = StepBody;
