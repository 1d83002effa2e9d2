import type {
  EnvironmentRow,
  SessionBinding,
  SessionStore,
  StepAmendment,
  StepPage,
  StepQuery,
  StepRow,
  StepWritten,
  StoredSession,
  WriteOptions,
} from "../store.ts";
import type { LastingThread } from "./lasting-thread.ts";
import type { ReaderCalls } from "./reader-calls.ts";
import { encodeSteps } from "./step-batch.ts";
import type { WriterCalls } from "./writer-calls.ts";

const readTimeoutMs = 10_000;
const pingTimeoutMs = 5_000;

export interface SqliteStoreParts {
  readonly storage_id: string;
  readonly writer: LastingThread<WriterCalls>;
  readonly reader: LastingThread<ReaderCalls>;
  readonly busyTimeoutMs: number;
  readonly closeTimeoutMs: number;
}

/** A SessionStore whose every use of the database happens on one of two threads. */
export class SqliteStore implements SessionStore {
  readonly storage_type = "sqlite";
  readonly storage_id: string;
  readonly #writer: LastingThread<WriterCalls>;
  readonly #reader: LastingThread<ReaderCalls>;
  readonly #busyTimeoutMs: number;
  readonly #closeTimeoutMs: number;

  constructor(parts: SqliteStoreParts) {
    this.storage_id = parts.storage_id;
    this.#writer = parts.writer;
    this.#reader = parts.reader;
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
    const { ids, exceptions } = await this.#writer.call("write", batch, options);
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
    await this.#writer.call("amend", amendments, within(this.#busyTimeoutMs));
  }

  /** A file has one gateway: no row of it is ever another one's. */
  async bindSession(): Promise<SessionBinding> {
    return { epoch: 0, closed_at: null };
  }

  async closeSession(): Promise<void> {}

  async reopenSession(): Promise<void> {}

  readSession(session_id: string): Promise<StoredSession> {
    return this.#reader.call("readSession", session_id, within(readTimeoutMs));
  }

  readEnvironment(session_id: string): Promise<EnvironmentRow | null> {
    return this.#reader.call("readEnvironment", session_id, within(readTimeoutMs));
  }

  readLatestSuccessStep(session_id: string, model: string): Promise<number | null> {
    const request = { session_id, model };
    return this.#reader.call("readLatestSuccessStep", request, within(readTimeoutMs));
  }

  readSteps(query: StepQuery): Promise<StepPage> {
    return this.#reader.call("readSteps", query, within(readTimeoutMs));
  }

  async ping(): Promise<void> {
    await this.#reader.call("ping", null, within(pingTimeoutMs));
    await this.#writer.call("ping", null, within(pingTimeoutMs));
  }

  /** The writer goes last: without readers it can empty the WAL. */
  async close(): Promise<void> {
    await this.#reader.close(this.#closeTimeoutMs);
    await this.#writer.close(this.#closeTimeoutMs);
  }
}

function within(milliseconds: number): { readonly deadline: number } {
  return { deadline: Date.now() + milliseconds };
}
