import type { AnswerFacts } from "@proj/model-apis";
import { type CallError, CallerGoneError } from "../errors/gateway-error.ts";

/**
 * `no_answer`: the upstream's status was 200, but what it sent is not an answer. `pending`: the answer is
 * made in the background. A reward can be given to neither.
 */
export type Outcome =
  | "completed"
  | "no_answer"
  | "pending"
  | "caller_gone"
  | "upstream_broken"
  | "timeout"
  | "not_delivered";

export interface StepOutcome {
  /** The upstream's status if a real answer came whole, else 202, 499, 502, 503 or 504. */
  readonly status_code: number;
  readonly outcome: Outcome;
  readonly error: string | null;
}

/** What is recorded about a forwarded request, given how it ended and what had arrived by then. */
export function describeOutcome(
  upstream_status_code: number | null,
  facts: AnswerFacts | null,
  error: CallError | null,
): StepOutcome {
  const whole = upstream_status_code !== null && facts?.complete === true && facts.error === null;
  // A caller that leaves after the last byte has had its answer.
  if (whole && (error === null || error instanceof CallerGoneError)) {
    const isSuccess = upstream_status_code >= 200 && upstream_status_code < 300;
    if (isSuccess && facts.no_answer !== null)
      return { status_code: 502, outcome: "no_answer", error: facts.no_answer };
    if (isSuccess && facts.is_pending) return { status_code: 202, outcome: "pending", error: null };
    return { status_code: upstream_status_code, outcome: "completed", error: null };
  }
  if (error === null) {
    const message = facts?.error ?? "the answer ended before it was complete";
    return { status_code: 502, outcome: "upstream_broken", error: message };
  }
  if (error instanceof CallerGoneError)
    return { status_code: 499, outcome: "caller_gone", error: error.message };
  switch (error.code) {
    case "upstream_timeout":
      return { status_code: 504, outcome: "timeout", error: error.message };
    case "session_closed":
    case "gateway_draining":
      return { status_code: 499, outcome: "not_delivered", error: error.message };
    case "overloaded":
    case "telemetry_unavailable":
    case "session_moved":
      return { status_code: 503, outcome: "not_delivered", error: error.message };
    default:
      return { status_code: 502, outcome: "upstream_broken", error: error.message };
  }
}
