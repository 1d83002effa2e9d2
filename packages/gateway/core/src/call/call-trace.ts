import type { AnswerFacts } from "@proj/model-apis";
import type { SpanPlace } from "@proj/opentelemetry";
import type { CallError } from "../errors/gateway-error.ts";
import type { Answer } from "./answer.ts";

/** What a traced call reports. */
export interface CallTrace {
  /** The call's span. */
  readonly place: SpanPlace;
  /** The call is sent to the named replica, for the first time or again. */
  beginAttempt(replica: string): AttemptTrace;
  /** Nothing of the call is left. @param answer null: it got none */
  end(answer: Answer | null, facts: AnswerFacts | null, error: CallError | null): void;
}

export interface AttemptTrace {
  /** The `traceparent` header sent upstream. */
  readonly traceparent: string;
  /** @param error its code; null: the answer was complete */
  end(status: number | null, error: string | null): void;
}
