import type { Recorder } from "./recorder.ts";

/**
 * Rows still unwritten when their session was closed are retried, but a reward may have been committed
 * meanwhile. So late rows are marked, with `status_code` 503: no reader may take one for the latest success.
 */
export function markLate(recorder: Recorder, session_id: string): void {
  for (const step of recorder.waiting(session_id)) {
    const meta = JSON.parse(step.row.meta_json);
    const status_code = step.row.status_code === 200 ? 503 : step.row.status_code;
    recorder.amend(step, status_code, JSON.stringify({ ...meta, status_code, late: true }));
  }
}
