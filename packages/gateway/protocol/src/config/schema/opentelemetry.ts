import { flag, integer, type JsonSchema, section } from "@proj/program/configuration";

export const opentelemetrySchema: JsonSchema = section("Traces of sessions, over OTLP/HTTP.", {
  enabled: flag("Whether traces are sent.", false),
  endpoint: {
    description:
      "The receiver's base URL, to which /v1/traces is added; null: OTEL_EXPORTER_OTLP_ENDPOINT, or port 4318 of this machine.",
    type: ["string", "null"],
    minLength: 1,
    format: "receiver-url",
    default: null,
  },
  headers: {
    description: "Headers of every export, on top of OTEL_EXPORTER_OTLP_HEADERS.",
    type: "object",
    propertyNames: { format: "header-name" },
    additionalProperties: { type: "string", format: "header-value" },
    default: {},
  },
  capture_content: flag(
    "Whether spans contain the messages, redacted and at most 64 KiB of each side.",
    false,
  ),
  queue_max_spans: integer(
    "Maximum number of spans waiting to be sent; beyond it, the newest are lost.",
    8192,
    1,
  ),
});
