import type { StoredRow } from "@proj/session-store";
import { isJsonObject } from "../json/json-object.ts";

/** A step of the session that is replayed, as far as it must be known to find it. */
export interface RecordedStep {
  /** Of its row. */
  readonly id: number;
  readonly model: string;
  /** Negative where the call was not a step. */
  readonly step_id: number;
  readonly endpoint: string;
  /** Of the request's body as it came. */
  readonly body_sha256: string;
  /** When it came and when its row was made, in milliseconds since the epoch. */
  readonly began: number;
  readonly ended: number;
  readonly outcome: string;
  /** Whether the caller got an error, or something that was not an answer. */
  readonly hasFailed: boolean;
  /** The earlier step that it repeats; null: none. */
  readonly retry_of: number | null;
  /** The step of another session that it was answered from; null: none. */
  readonly replayed_step_id: number | null;
  /** Why its answer cannot be given again; null: it can. */
  readonly lacks: string | null;
}

/** Answers that came whole, whatever they said. */
const whole: ReadonlySet<unknown> = new Set(["completed", "no_answer", "pending"]);

/** Null: the row was not made by a gateway. */
export function readRecordedStep(row: StoredRow): RecordedStep | null {
  const meta = parseMeta(row.meta_json);
  const { endpoint, outcome, body_sha256, started_at, retry_of } = meta;
  if (typeof endpoint !== "string" || typeof outcome !== "string") return null;
  const began = Date.parse(String(started_at));
  return {
    id: row.id,
    model: row.model,
    step_id: row.step_id,
    endpoint,
    body_sha256: typeof body_sha256 === "string" ? body_sha256 : "",
    began: Number.isNaN(began) ? Date.parse(row.created_at) : began,
    ended: Date.parse(row.created_at),
    outcome,
    hasFailed: row.status_code >= 400,
    retry_of: typeof retry_of === "number" ? retry_of : null,
    replayed_step_id: replayedStepOf(meta),
    lacks: whyLacking(row, meta),
  };
}

function replayedStepOf({ replayed_from }: Meta): number | null {
  const step_id = isJsonObject(replayed_from) ? replayed_from.step_id : null;
  return typeof step_id === "number" ? step_id : null;
}

function whyLacking({ response_bytes }: StoredRow, { outcome, truncated }: Meta): string | null {
  if (!whole.has(outcome)) return `its answer never came whole (${outcome})`;
  if (response_bytes === null)
    return "its answer was not recorded (telemetry.capture_payload, or capture_error in its row)";
  return truncated === true ? "its answer was recorded in part (max_capture_bytes)" : null;
}

/** Whether a step's answer came whole, so that the caller had no reason to repeat it. */
export const cameWhole = ({ outcome }: Pick<RecordedStep, "outcome">): boolean =>
  whole.has(outcome);

export type Meta = Readonly<Record<string, unknown>>;

/** `meta_json`, which others may have written to as well. */
export function parseMeta(meta_json: string): Meta {
  try {
    const value: unknown = JSON.parse(meta_json);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
