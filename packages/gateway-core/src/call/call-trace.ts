import type { SpanPlace } from "@proj/opentelemetry";

/** What a traced call reports. */
export interface CallTrace {
  /** The call's span. */
  readonly place: SpanPlace;
  /** The call is sent to the named replica, for the first time or again. */
  beginAttempt(replica: string): AttemptTrace;
}

export interface AttemptTrace {
  /** The `traceparent` header sent upstream. */
  readonly traceparent: string;
  /** @param error its code; null: the answer was complete */
  end(status: number | null, error: string | null): void;
}
