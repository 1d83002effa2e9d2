import { type CallError, CallerGoneError } from "../gateway-error.ts";
import type { AnswerFacts } from "./answer-facts.ts";

export type Outcome = "completed" | "caller_gone" | "upstream_broken" | "timeout" | "not_delivered";

export interface StepOutcome {
  /** The upstream's where the answer was complete, else 499, 502, 503 or 504. */
  readonly status_code: number;
  readonly outcome: Outcome;
  readonly error: string | null;
}

/** What is recorded of a forwarded request, from how it ended and what had come by then. */
export function describeOutcome(
  upstream_status_code: number | null,
  facts: AnswerFacts | null,
  error: CallError | null,
): StepOutcome {
  const whole = upstream_status_code !== null && facts?.complete === true && facts.error === null;
  // Who leaves with the whole answer has got it.
  if (whole && (error === null || error instanceof CallerGoneError))
    return { status_code: upstream_status_code, outcome: "completed", error: null };
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
    case "telemetry_unavailable":
    case "session_moved":
      return { status_code: 503, outcome: "not_delivered", error: error.message };
    default:
      return { status_code: 502, outcome: "upstream_broken", error: error.message };
  }
}
