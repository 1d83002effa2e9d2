import { type ErrorSource, sourceOfStatus } from "@proj/gateway-protocol";
import { parsedObject } from "@proj/model-apis/json";
import type { JobStore } from "@proj/session-store";

/**
 * The codes of failures that say nothing about the agent or its model: `docs/evaluation.md` has the table. An
 * evaluator that answered something else than a score is not among them, because the agent's work may have caused it.
 */
const codes: ReadonlySet<string> = new Set([
  ...["gateway_unavailable", "gateway_failed", "upstream_failed"],
  ...["runtime_not_started", "runtime_lost", "runtime_unreachable"],
  ...["evaluator_not_started", "evaluator_exited", "evaluator_failed", "evaluator_timeout"],
  ...["evaluator_unreachable", "evaluator_broke_off", "evaluator_refused"],
  ...["steps_unreadable", "reward_step_missing", "launcher_failed"],
]);

export const isInfrastructure = (code: string): boolean => codes.has(code);

/** The infrastructure failed the last call of a session. */
export interface CallFault {
  readonly code: "gateway_failed" | "upstream_failed";
  readonly message: string;
}

/**
 * Whether the last call that a session recorded failed because of the gateway or of the route: whatever the agent then
 * said or did, it was not answered. Null: it was answered, refused for what it asked, or left by the agent.
 * @throws StoreUnavailableError
 */
export async function faultOfLastCall(
  store: Pick<JobStore, "readLastCall">,
  session_id: string,
): Promise<CallFault | null> {
  const last = await store.readLastCall(session_id);
  if (last === null) return null;
  const meta = parsedObject(last.meta_json);
  const source = sourceOf(meta.error_source) ?? sourceOfStatus(last.status_code);
  if (source !== "gateway" && source !== "upstream") return null;
  const call = `step ${last.step_id} of model '${last.model}', the last call of the session,`;
  const why = typeof meta.error === "string" ? `: ${meta.error}` : "";
  return { code: `${source}_failed`, message: `${call} ended with ${last.status_code}${why}` };
}

const sourceOf = (value: unknown): ErrorSource | null =>
  value === "caller" || value === "policy" || value === "gateway" || value === "upstream"
    ? value
    : null;
