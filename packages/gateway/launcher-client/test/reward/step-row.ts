import type { StepRow } from "@proj/session-store";

/** A step of model `policy` without payload. */
export function stepRow(
  session_id: string,
  step_id: number,
  status_code: number = 200,
  meta: Readonly<Record<string, unknown>> = {},
): StepRow {
  return {
    request_id: `${session_id}-${step_id}`,
    session_id,
    model: "policy",
    step_id,
    epoch: null,
    history: null,
    status_code,
    env_name: null,
    job_id: null,
    group_id: null,
    created_at: "2026-01-02T03:04:05.678Z",
    meta_json: JSON.stringify({ status_code, upstream_status_code: status_code, ...meta }),
    request: null,
    response: null,
    messages: null,
  };
}
