import type { EnvironmentRow } from "@proj/session-store";
import type { ReportedRollout } from "./report-job.ts";

type Told = Pick<
  EnvironmentRow,
  "session_id" | "simulation_id" | "group_id" | "status" | "started_at" | "finished_at"
>;

/** What an attempt is in a report, without what it used. Simulations of one group were given one task. */
export function rolloutOf(
  row: Told,
  score: number | null,
): Pick<ReportedRollout, "task" | "session_id" | "ending" | "score" | "duration_ms"> {
  const { session_id, simulation_id, group_id, status, started_at, finished_at } = row;
  const isScored = status === "finished" && score !== null;
  return {
    task: group_id ?? simulation_id,
    session_id,
    ending: isScored ? ("scored" as const) : endings[status],
    score: isScored ? score : null,
    duration_ms:
      started_at === null || finished_at === null
        ? null
        : Date.parse(finished_at) - Date.parse(started_at),
  };
}

/** How an attempt without a score ended. */
const endings = {
  ...{ pending: "unended", running: "unended", interrupted: "unended", finished: "unended" },
  ...{ failed: "failed", infrastructure: "infrastructure" },
} as const satisfies Record<EnvironmentRow["status"], ReportedRollout["ending"]>;
