import {
  choice,
  flag,
  integer,
  type JsonSchema,
  milliseconds,
  positiveSeconds,
  section,
} from "@proj/program/configuration";

export const telemetrySchema: JsonSchema = section("How steps are recorded.", {
  mode: choice(
    "strict: an answer ends only once its row is durable, and fails if that is impossible. best_effort: requests proceed whatever becomes of their rows.",
    "strict",
    ["strict", "best_effort"],
  ),
  loss_policy: choice(
    "What gives way when rows cannot be written. strict needs fail_closed.",
    "fail_closed",
    ["fail_closed", "drop_newest", "drop_oldest"],
  ),
  capture_payload: choice(
    "Which steps store request, messages and response. The row itself is always stored.",
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
    "Keep the vectors of embeddings in rows; otherwise only their size.",
    false,
  ),
  batch_size: integer("Maximum number of rows in one transaction.", 200, 1),
  flush_interval_ms: milliseconds(
    "best_effort only: milliseconds that rows are collected before a commit.",
    100,
  ),
  queue_max_rows: integer("Maximum number of rows waiting to be written.", 4096, 1),
  queue_max_bytes: integer("Maximum bytes of the rows waiting to be written.", 268_435_456, 1),
  write_timeout_s: positiveSeconds("Seconds that a row may take to become durable.", 10),
});
