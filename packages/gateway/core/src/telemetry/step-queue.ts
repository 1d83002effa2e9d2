import { monotonicMs, type StepRow, type StepWritten } from "@proj/session-store";
import { Once } from "../call/once.ts";
import { type Link, LinkedList } from "../waiting/linked-list.ts";

/** A row on its way into storage. The recorder keeps it, bytes and all, until it is acknowledged or lost. */
export interface QueuedStep {
  row: StepRow;
  readonly bytes: number;
  /** Latest time at which the row may be stored unchanged, by `monotonicMs`. */
  deadline: number;
  /** Part of the batch being written now. */
  inFlight: boolean;
  /** Was part of a batch before, so storage may hold it without having acknowledged it. */
  sent: boolean;
  /** How many times the writing thread died while writing this row. */
  deaths: number;
  /** Changed after it was sent: what is stored must be corrected. */
  amended: boolean;
  /** How it was stored; null if it was lost. A listener that threw would look like a failure of storage. */
  readonly written: Once<StepWritten | null>;
  /** Set by the queue; null before the row is queued. */
  place: Link<QueuedStep> | null;
}

export function createQueuedStep(row: StepRow, deadline: number): QueuedStep {
  return {
    row,
    bytes: bytesOf(row),
    deadline,
    inFlight: false,
    sent: false,
    deaths: 0,
    amended: false,
    written: new Once(),
    place: null,
  };
}

/** The bytes that a row counts for in the bounds of the queue. */
function bytesOf({ meta_json, request, response, messages }: StepRow): number {
  const payload = (request?.length ?? 0) + (response?.length ?? 0) + (messages?.length ?? 0);
  return meta_json.length + payload;
}

/**
 * The waiting rows, in order and per session. Counts rows and bytes; the recorder decides what the bounds
 * mean.
 */
export class StepQueue {
  readonly #steps = new LinkedList<QueuedStep>();
  /** The number of waiting rows of each session. */
  readonly #sessions = new Map<string, number>();
  readonly #waiters = new Map<string, (() => void)[]>();
  /** Rows added since the start. */
  added = 0;
  #bytes = 0;

  get rows(): number {
    return this.#steps.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether a row of this size fits. A row larger than the bounds fits when the queue is empty. */
  hasRoom(bytes: number, maxRows: number, maxBytes: number): boolean {
    if (this.rows === 0) return maxRows > 0;
    return this.rows < maxRows && this.#bytes + bytes <= maxBytes;
  }

  add(step: QueuedStep): void {
    step.place = this.#steps.append(step);
    this.added += 1;
    this.#bytes += step.bytes;
    const { session_id } = step.row;
    this.#sessions.set(session_id, (this.#sessions.get(session_id) ?? 0) + 1);
  }

  remove(step: QueuedStep): void {
    if (step.place === null || !this.#steps.remove(step.place)) return;
    this.#bytes -= step.bytes;
    const { session_id } = step.row;
    const left = (this.#sessions.get(session_id) ?? 1) - 1;
    if (left > 0) {
      this.#sessions.set(session_id, left);
      return;
    }
    this.#sessions.delete(session_id);
    const waiters = this.#waiters.get(session_id);
    if (waiters === undefined) return;
    this.#waiters.delete(session_id);
    for (const wake of waiters) wake();
  }

  /**
   * The oldest rows that are ready to be stored. `maxBytes` applies from the second row on. A row that was
   * there when the writer died goes alone: if it is the cause, it takes no other row with it.
   */
  batch(maxRows: number, maxBytes: number): QueuedStep[] {
    const batch: QueuedStep[] = [];
    let bytes = 0;
    const now = monotonicMs();
    for (const step of this.#steps) {
      // It waits to be amended, and would make storage refuse its whole batch.
      if (step.deadline <= now) continue;
      if (batch.length >= maxRows || (batch.length > 0 && bytes + step.bytes > maxBytes)) break;
      if (batch.length > 0 && step.deaths > 0) break;
      batch.push(step);
      bytes += step.bytes;
      if (step.deaths > 0) break;
    }
    return batch;
  }

  /** The oldest row that is not being written. */
  oldestWaiting(): QueuedStep | undefined {
    for (const step of this.#steps) if (!step.inFlight) return step;
    return undefined;
  }

  ofSession(session_id: string): readonly QueuedStep[] {
    if (!this.#sessions.has(session_id)) return [];
    return [...this.#steps].filter(({ row }) => row.session_id === session_id);
  }

  /** Whether somebody is waiting for all rows of a session to be written or lost. */
  get isAwaited(): boolean {
    return this.#waiters.size > 0;
  }

  hasSession(session_id: string): boolean {
    return this.#sessions.has(session_id);
  }

  /** Resolves once every row of the session is written or lost. */
  drained(session_id: string): Promise<void> {
    if (!this.#sessions.has(session_id)) return Promise.resolve();
    return new Promise((resolve) => {
      const waiters = this.#waiters.get(session_id);
      if (waiters === undefined) this.#waiters.set(session_id, [resolve]);
      else waiters.push(resolve);
    });
  }

  all(): readonly QueuedStep[] {
    return [...this.#steps];
  }
}
