import type { ExportFormat } from "./formats/export-format.ts";
import type { Rollout } from "./rollout.ts";

/** A rollout that a format cannot write. */
export interface LeftOut {
  readonly session_id: string;
  /** The first step that it fails for. */
  readonly step: string;
  readonly reason: "partial_history";
}

/** Null: the format can write the rollout. */
export function leftOut({ needsHistory }: ExportFormat, rollout: Rollout): LeftOut | null {
  if (!needsHistory) return null;
  for (const step of rollout.steps.values()) {
    if (!step.has_partial_history || step.status_code !== 200) continue;
    const { session_id } = rollout.environment;
    return { session_id, step: step.id, reason: "partial_history" };
  }
  return null;
}
