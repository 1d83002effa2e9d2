import type {
  SessionStatusBody,
  SimulationResult,
  SimulationStartRequest,
  TruncationCause,
} from "@proj/gateway-protocol";
import type { AttemptFailure } from "./attempt-failure.ts";

/** How a session ended, as the launcher saw it. */
export interface SessionEnd {
  /** When the session was closed; null: the gateway did not say. */
  readonly status: SessionStatusBody | null;
  /** It was seen to be stopped while the agent ran. */
  readonly wasStopped: boolean;
  readonly llm_model: string;
  /** What the launcher gave as its reason to close it. */
  readonly reason: string;
}

/** Whether the session's budget ended the simulation: the agent kept asking after it was spent. */
export const isOutOfBudget = ({ status, wasStopped, llm_model }: SessionEnd): boolean =>
  wasStopped || status?.models?.[llm_model]?.stopped === true;

/** The result of a simulation that ran, with what cut it off; what the agent itself says comes before its answer. */
export function withTruncation(
  result: SimulationResult,
  end: SessionEnd & { readonly hasCutAnswer: boolean },
): SimulationResult {
  const cause = causeOf(end) ?? result.truncated_by ?? (end.hasCutAnswer ? "length" : null);
  if (cause === null) return result;
  return { ...result, terminated: false, truncated: true, truncated_by: cause };
}

function causeOf(end: SessionEnd): TruncationCause | null {
  if (isOutOfBudget(end)) return "budget";
  const close = end.status?.close ?? null;
  return close !== null && close.reason !== end.reason ? "closed" : null;
}

/** The result of a simulation whose runtime gave none because it was cut off. */
export const cutOff = (
  { session_id }: Pick<SimulationStartRequest, "session_id">,
  truncated_by: TruncationCause,
  failure: Partial<Pick<AttemptFailure, "message" | "result">> = {},
): SimulationResult => ({
  session_id,
  status: "completed",
  total_reward: null,
  step_count: 0,
  terminated: false,
  truncated: true,
  truncated_by,
  error_text: failure.message ?? null,
  metrics: failure.result?.metrics ?? {},
});
