import { type OptionSettings, optional } from "@proj/program";

/** Options of commands that can be traced. */
export const traceOptions = (settings: OptionSettings = {}) => ({
  "otlp-endpoint": optional(
    "URL",
    "traces go over OTLP/HTTP to this base URL, with OTEL_EXPORTER_OTLP_HEADERS",
    settings,
  ),
});
