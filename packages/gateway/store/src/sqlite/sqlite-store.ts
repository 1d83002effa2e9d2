import { monotonicMs } from "@proj/database";
import { type CheckpointTally, type FileOwner, measureFile } from "@proj/database/sqlite";
import type { FileThreads } from "@proj/database/threads";
import type { RouteChange, RouteState, RoutesOfAll } from "../route-state.ts";
import type { SessionFork } from "../session-fork.ts";
import { storageKinds } from "../storage-kinds.ts";
import type {
  SessionBinding,
  StepAmendment,
  StepRow,
  StepWritten,
  StorageMeasures,
  StoredConversation,
  WriteOptions,
} from "../store.ts";
import type { StoreWrites } from "../store-writes.ts";
import type { ReaderCalls } from "./reader-calls.ts";
import { encodeSteps } from "./step-batch.ts";
import type { WriterCalls } from "./writer-calls.ts";

const readTimeoutMs = 10_000;
const pingTimeoutMs = 5_000;
/** Short, because rows wait behind it. */
const closeSessionTimeoutMs = 5_000;

export interface SqliteStoreParts {
  readonly storage_id: string;
  readonly file: string;
  /** Null: another process may own the file. */
  readonly owner: FileOwner | null;
  /** Counted by the writer's thread. */
  readonly checkpoints: CheckpointTally;
  readonly threads: FileThreads<WriterCalls, ReaderCalls>;
  /** What callers know: an `id` must never be given to another row, whatever happens to the file. */
  readonly told: { largest_id: number };
  readonly busyTimeoutMs: number;
  readonly closeTimeoutMs: number;
}

/** What a SessionStore writes, on a thread. */
export class SqliteStore implements StoreWrites {
  readonly storage_type = "sqlite";
  readonly isShared: boolean = storageKinds.sqlite.isShared;
  readonly storage_id: string;
  readonly #file: string;
  readonly #owner: FileOwner | null;
  readonly #checkpoints: CheckpointTally;
  readonly #threads: SqliteStoreParts["threads"];
  readonly #told: SqliteStoreParts["told"];
  readonly #busyTimeoutMs: number;
  readonly #closeTimeoutMs: number;

  constructor(parts: SqliteStoreParts) {
    this.storage_id = parts.storage_id;
    this.#file = parts.file;
    this.#owner = parts.owner;
    this.#checkpoints = parts.checkpoints;
    this.#threads = parts.threads;
    this.#told = parts.told;
    this.#busyTimeoutMs = parts.busyTimeoutMs;
    this.#closeTimeoutMs = parts.closeTimeoutMs;
  }

  async writeSteps(
    rows: readonly StepRow[],
    { deadline }: WriteOptions,
  ): Promise<readonly StepWritten[]> {
    if (rows.length === 0) return [];
    const batch = encodeSteps(rows);
    const options = { deadline, transfer: [batch.payloads] };
    const { ids, exceptions } = await this.#threads.writer.call("write", batch, options);
    for (const id of ids) if (id > this.#told.largest_id) this.#told.largest_id = id;
    const written = rows.map(({ request_id, step_id }, index): StepWritten => {
      const id = ids[index] ?? null;
      return { request_id, id, step_id, stored: "whole" };
    });
    for (const [index, step_id, stored] of exceptions ?? []) {
      const { request_id, id } = written[index] ?? { request_id: "", id: null };
      written[index] = { request_id, id, step_id, stored };
    }
    return written;
  }

  async amendSteps(amendments: readonly StepAmendment[]): Promise<void> {
    if (amendments.length === 0) return;
    await this.#threads.writer.call("amend", amendments, within(this.#busyTimeoutMs));
  }

  /** A file has a single gateway, so no row belongs to another one. */
  async bindSession(session_id: string): Promise<SessionBinding> {
    const binding = await this.readBinding(session_id);
    return binding ?? { epoch: 0, closed_at: null, last_closed_at: null };
  }

  readBinding(session_id: string): Promise<SessionBinding | null> {
    return this.#threads.reader.call("readBinding", session_id, within(readTimeoutMs));
  }

  async closeSession(session_id: string): Promise<void> {
    const closed = { session_id, closed_at: new Date().toISOString() };
    await this.#threads.writer.call("closeSession", closed, within(closeSessionTimeoutMs));
  }

  async reopenSession(session_id: string): Promise<void> {
    await this.#threads.writer.call("reopenSession", session_id, within(closeSessionTimeoutMs));
  }

  async forkSession(fork: SessionFork): Promise<SessionFork> {
    await this.#threads.writer.call("forkSession", fork, within(this.#busyTimeoutMs));
    const { session_id } = fork;
    return (await this.#threads.reader.call("readFork", session_id, within(readTimeoutMs))) ?? fork;
  }

  async keepConversation(session_id: string, conversation: StoredConversation): Promise<void> {
    const row = { session_id, ...conversation, created_at: new Date().toISOString() };
    await this.#threads.writer.call("keepConversation", row, within(this.#busyTimeoutMs));
  }

  changeRoute(change: RouteChange): Promise<RouteState> {
    return this.#threads.writer.call("changeRoute", change, within(this.#busyTimeoutMs));
  }

  async exchangeRoutes(): Promise<RoutesOfAll> {
    const { reader } = this.#threads;
    const states = await reader.call("readRoutes", undefined, within(readTimeoutMs));
    return { states, others: [] };
  }

  async leaveRoutes(): Promise<void> {}

  async check(): Promise<void> {
    this.#owner?.hold();
    await this.#threads.reader.call("ping", null, within(pingTimeoutMs));
  }

  async measure(): Promise<StorageMeasures | null> {
    const [checkpoints = 0, checkpoint_seconds = 0] = this.#checkpoints;
    try {
      return { ...(await measureFile(this.#file)), checkpoints, checkpoint_seconds };
    } catch {
      // The folder may be gone; `check` reports that.
      return null;
    }
  }

  async ping(): Promise<void> {
    // The writer first: it opens the file again after it was replaced.
    await this.#threads.writer.call("ping", null, within(pingTimeoutMs));
    await this.check();
  }

  async close(): Promise<void> {
    await this.#threads.close(this.#closeTimeoutMs);
    this.#owner?.release();
  }
}

function within(milliseconds: number): { readonly deadline: number } {
  return { deadline: monotonicMs() + milliseconds };
}
