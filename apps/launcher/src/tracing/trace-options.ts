import { type OptionSettings, optional } from "@proj/program";
import type { OptionsOf } from "../options-of.ts";

/** Where a command sends its traces. */
export interface TraceSettings {
  readonly "otlp-endpoint": string | null;
}

/** Options of commands that can be traced. */
export const traceOptions = (settings: OptionSettings = {}): OptionsOf<TraceSettings> => ({
  "otlp-endpoint": optional(
    "URL",
    "traces go over OTLP/HTTP to this base URL, with OTEL_EXPORTER_OTLP_HEADERS",
    settings,
  ),
});
