import { EnginePrompts, RecordedStep } from "@proj/sequences/recorded";
import type { StepRecord } from "../start-gateway.ts";

/** Rows of a session as an export reads them. */
export function recordedSteps(rows: readonly StepRecord[]): RecordedStep[] {
  const prompts = new EnginePrompts();
  return rows.flatMap((row) => RecordedStep.allOf({ ...row, ...typed(row) }, prompts));
}

/** The columns that SQLite's rows have without a type of their own. */
const typed = ({ id, is_terminal, created_at, meta_json }: StepRecord) => ({
  id: Number(id),
  is_terminal: Boolean(is_terminal),
  created_at: String(created_at),
  meta_json: String(meta_json),
});
