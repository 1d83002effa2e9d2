import { type ErrorSource, errorKinds, sourceOfStatus } from "@proj/gateway-protocol";
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
  /** Who caused the failure; null: it is none. */
  readonly error_source: ErrorSource | null;
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
      return failed(502, "no_answer", facts.no_answer, "upstream");
    const error_source = sourceOfStatus(upstream_status_code);
    if (isSuccess && facts.is_pending)
      return { status_code: 202, outcome: "pending", error: null, error_source };
    return { status_code: upstream_status_code, outcome: "completed", error: null, error_source };
  }
  if (error === null) {
    const message = facts?.error ?? "the answer ended before it was complete";
    return failed(502, "upstream_broken", message, "upstream");
  }
  if (error instanceof CallerGoneError) return failed(499, "caller_gone", error.message, "caller");
  const { source } = errorKinds[error.code];
  switch (error.code) {
    case "upstream_timeout":
      return failed(504, "timeout", error.message, source);
    case "session_closed":
    case "gateway_draining":
      return failed(499, "not_delivered", error.message, source);
    case "overloaded":
    case "telemetry_unavailable":
    case "session_moved":
      return failed(503, "not_delivered", error.message, source);
    default:
      return failed(502, "upstream_broken", error.message, source);
  }
}

/** The value of `error.type` in metrics and spans; null if the call did not fail. */
export function errorOf({ status_code, outcome }: StepOutcome): string | null {
  if (outcome === "pending") return null;
  if (outcome !== "completed") return outcome;
  return status_code >= 400 ? String(status_code) : null;
}

const failed = (
  status_code: number,
  outcome: Outcome,
  error: string,
  error_source: ErrorSource,
): StepOutcome => ({ status_code, outcome, error, error_source });
