/** Whom the recorder tells of its work. */
export interface RecorderObserver {
  committed(rows: number, durationMs: number): void;
  lost(session_id: string, rows: number, reason: LossReason): void;
  /** A row was not stored, as its session belongs to another gateway by now. */
  moved(session_id: string, epoch: number | null): void;
  /** A batch could not be written and is kept. */
  retried(): void;
  /** Storage cannot be written, for the first time since it last could. */
  unavailable(error: Error): void;
  recovered(): void;
}

/**
 * `refused`: the storage takes the row not even without its payload. `session_moved`: its caller had
 * the answer before the row could be stored (best effort), and another gateway has the session.
 */
export type LossReason = "queue_full" | "refused" | "session_moved" | "shutdown";
