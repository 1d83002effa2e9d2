/** Whom the recorder tells of its work. */
export interface RecorderObserver {
  committed(rows: number, durationMs: number): void;
  lost(session_id: string, rows: number, reason: LossReason): void;
  /** A batch could not be written and is kept. */
  retried(): void;
  /** Storage cannot be written, for the first time since it last could. */
  unavailable(error: Error): void;
  recovered(): void;
}

/** `refused`: the storage takes the row not even without its payload. */
export type LossReason = "queue_full" | "refused" | "shutdown";
