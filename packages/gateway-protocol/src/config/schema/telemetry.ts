import {
  choice,
  flag,
  integer,
  type JsonSchema,
  milliseconds,
  positiveSeconds,
  section,
} from "@proj/configuration";

export const telemetrySchema: JsonSchema = section("How steps are recorded.", {
  mode: choice(
    "strict: an answer is finished only once its row is durable, and fails where that cannot be. best_effort: requests proceed whatever becomes of their rows.",
    "strict",
    ["strict", "best_effort"],
  ),
  loss_policy: choice(
    "What gives way where rows cannot be written. strict needs fail_closed.",
    "fail_closed",
    ["fail_closed", "drop_newest", "drop_oldest"],
  ),
  capture_payload: choice(
    "Of which steps request, messages and response are stored. The row itself always is.",
    "full",
    ["full", "failed_only", "sampled", "none"],
  ),
  payload_sample_rate: {
    description:
      "Share of steps whose payload is stored, from 0 to 1; other than 1 only with capture_payload: sampled.",
    type: "number",
    minimum: 0,
    maximum: 1,
    default: 1,
  },
  redact_sensitive_fields: flag(
    "Replace the values of credential keys by [REDACTED] in rows and in the request log.",
    true,
  ),
  capture_embeddings: flag(
    "Keep the vectors of embeddings in rows; otherwise their size alone.",
    false,
  ),
  batch_size: integer("Rows in one transaction at most.", 200, 1),
  flush_interval_ms: milliseconds(
    "best_effort only: milliseconds that rows are collected before a commit.",
    100,
  ),
  queue_max_rows: integer("Rows waiting to be written at most.", 4096, 1),
  queue_max_bytes: integer("Bytes of the rows waiting to be written at most.", 268_435_456, 1),
  write_timeout_s: positiveSeconds("Seconds that a row may take to become durable.", 10),
});
