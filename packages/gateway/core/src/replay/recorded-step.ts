import { isJsonObject, parsedObject } from "@proj/model-apis/json";
import type { StoredRow } from "@proj/session-store";

/** What is needed to find a step of the replayed session. */
export interface RecordedStep {
  /** The row's id. */
  readonly id: number;
  readonly model: string;
  /** Negative if the call was not a step. */
  readonly step_id: number;
  readonly endpoint: string;
  /** Digest of the request's body as it was received. */
  readonly body_sha256: string;
  /** When the request came and when its row was made, in milliseconds since the epoch. */
  readonly began: number;
  readonly ended: number;
  readonly outcome: string;
  /** The caller got an error, or something that was not an answer. */
  readonly hasFailed: boolean;
  /** The earlier step that this one retries; null if none. */
  readonly retry_of: number | null;
  /** The step of another session that answered it; null if none. */
  readonly replayed_step_id: number | null;
  /** Why its answer cannot be given again; null if it can. */
  readonly lacks: string | null;
}

/** Outcomes of answers that arrived whole, whatever they said. */
const whole: ReadonlySet<unknown> = new Set(["completed", "no_answer", "pending"]);

/** Null if the row was not made by a gateway. */
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
  if (!whole.has(outcome)) return `its answer never arrived whole (${outcome})`;
  if (response_bytes === null)
    return "its answer was not recorded (telemetry.capture_payload, or capture_error in its row)";
  return truncated === true ? "only part of its answer was recorded (max_capture_bytes)" : null;
}

/** Whether a step's answer arrived whole, so that the caller had no reason to retry. */
export const cameWhole = ({ outcome }: Pick<RecordedStep, "outcome">): boolean =>
  whole.has(outcome);

export type Meta = Readonly<Record<string, unknown>>;

/** `meta_json`, which programs other than the gateway may have changed. */
export const parseMeta = (meta_json: string): Meta => parsedObject(meta_json);
