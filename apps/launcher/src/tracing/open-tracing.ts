import type { SimulationTracing } from "@proj/launcher-client";
import type { Tracer } from "@proj/opentelemetry";
import { UsageError } from "@proj/program";

/** The tracing of one command. */
export interface LauncherTracing {
  /** Null: nothing is traced. */
  readonly simulations: SimulationTracing | null;
  /** Sends pending spans, for three seconds at most, and reports what was lost. */
  close(): Promise<void>;
}

const noTracing: LauncherTracing = { simulations: null, close: async () => {} };

/** Large enough for a long-running command to bridge a receiver's absence. */
const queue_max_spans = 8_192;

/**
 * Opens the connection to a receiver of traces; without one, OpenTelemetry's SDK is not even loaded.
 * @param say prints a text for people
 * @throws UsageError the endpoint is not an http or https URL
 */
export async function openTracing(
  endpoint: string | null,
  say: (text: string) => void,
): Promise<LauncherTracing> {
  if (endpoint === null) return noTracing;
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol))
    throw new UsageError("--otlp-endpoint: not an http or https URL");
  const { openTracer } = await import("@proj/opentelemetry/tracer");
  const tracer = openTracer({
    ...{ endpoint, headers: {}, queue_max_spans, service_name: "launcher" },
    onFailing: (error) => say(`traces cannot be sent, and are kept: ${error.message}`),
    onRecovered: () => say("traces can be sent again"),
  });
  return {
    simulations: { tracer, traceparent: process.env.TRACEPARENT },
    close: async () => {
      await tracer.close();
      const lost = lostSpans(tracer);
      if (lost !== "") say(`spans were lost: ${lost}`);
    },
  };
}

/** Empty: none was lost. */
function lostSpans({ counts }: Tracer): string {
  const reasons = Object.entries(counts.lost).filter(([, count]) => count > 0);
  return reasons.map(([reason, count]) => `${count} (${reason})`).join(", ");
}
