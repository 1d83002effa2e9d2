/** Receives the recorder's events. */
export interface RecorderObserver {
  committed(rows: number, durationMs: number): void;
  lost(session_id: string, rows: number, reason: LossReason): void;
  /** A row was not stored, because another gateway has its session. */
  moved(session_id: string, epoch: number | null): void;
  /** A batch could not be written and is kept. */
  retried(): void;
  /** Writing to storage fails, for the first time since it last worked. */
  unavailable(error: Error): void;
  recovered(): void;
}

/**
 * `refused`: storage refuses the row even without its payload. `session_moved`: the caller had its answer
 * before the row could be stored (best effort), and another gateway has the session.
 */
export type LossReason = "queue_full" | "refused" | "session_moved" | "shutdown";
