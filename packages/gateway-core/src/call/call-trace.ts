/** What is told of a call while it is traced. */
export interface CallTrace {
  /** The call is sent to a replica, by its name: the first time, or again. */
  beginAttempt(replica: string): AttemptTrace;
}

export interface AttemptTrace {
  /** The header of that name which the upstream gets. */
  readonly traceparent: string;
  /** @param error its code; null: the answer came to its end */
  end(status: number | null, error: string | null): void;
}
