import type { Call } from "../call/call.ts";
import type { Parent } from "../session/answer-rows.ts";
import type { Hold } from "../session/budget-holds.ts";
import type { RepeatableStep, RetryMarks } from "../session/retries.ts";
import type { Session } from "../session/session.ts";
import type { RecordedRequest } from "./recorded-request.ts";
import type { StepRecording } from "./step-recording.ts";

/** A call that is bound to a session; the session's stages take only such calls. */
export interface BoundCall extends Call {
  readonly session_id: string;
  readonly session: Session;
  /** The body as the step's row keeps it. */
  readonly recorded: RecordedRequest;
  /** The row that it continues; null: its request is whole. */
  readonly parent: Parent | null;
  /** The step that it retries; null if none. */
  retry: RepeatableStep | null;
  /** The step whose budget it gave back to the session. */
  retry_of: number | null;
  /** What it holds of its session's budgets while it is in flight; null: nothing. */
  hold: Hold | null;
  /** Null until the step has been taken. */
  recording: StepRecording | null;
}

/** Calls that leave no row are forwarded like calls without a session. */
export function isBound(call: Call): call is BoundCall {
  return call.session_id !== null && call.endpoint.isRecorded && call.stored === null;
}

/** What identifies a call as the retry of an earlier one. */
export function retryMarks(
  call: Pick<Call, "endpoint" | "model" | "headers">,
  recorded: Pick<RecordedRequest, "digest">,
): RetryMarks {
  const { "idempotency-key": key, "x-stainless-retry-count": count } = call.headers;
  return {
    endpoint: call.endpoint.name,
    model: call.model,
    idempotency_key: typeof key === "string" && key !== "" ? key : null,
    saysSo: typeof count === "string" && /^[1-9]\d{0,5}$/.test(count),
    sha256: () => recorded.digest().sha256,
  };
}
