import type { Registry } from "prom-client";
import type { Sample } from "./series.ts";

export const openMetricsType = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/**
 * A registry's metrics as OpenMetrics 1.0, which has exemplars. prom-client's own OpenMetrics renames counters
 * for good: the registry could then no longer write Prometheus's own text.
 */
export async function openMetricsText(registry: Registry): Promise<string> {
  const lines: string[] = [];
  for (const { name, help, type, values } of await registry.getMetricsAsJSON()) {
    const family = String(type) === "counter" ? name.replace(/_total$/, "") : name;
    lines.push(`# HELP ${family} ${escaped(help)}`, `# TYPE ${family} ${type}`);
    for (const sample of values) lines.push(sampleLine(name, sample));
  }
  return `${lines.join("\n")}\n# EOF\n`;
}

function sampleLine(name: string, { metricName, labels, value, exemplar }: Sample): string {
  const line = `${metricName ?? name}${labelsText(labels)} ${numberText(value)}`;
  if (exemplar === undefined) return line;
  const { trace_id, span_id, at } = exemplar.span;
  return `${line} # ${labelsText({ trace_id, span_id })} ${numberText(exemplar.value)} ${at / 1_000}`;
}

function labelsText(labels: Readonly<Record<string, string | number | undefined>>): string {
  const texts = Object.entries(labels).map(
    ([name, value]) => `${name}="${name === "le" ? boundText(value) : escaped(String(value))}"`,
  );
  return texts.length === 0 ? "" : `{${texts.join(",")}}`;
}

/** OpenMetrics writes bucket bounds as canonical numbers: a whole one has a fraction, as in `1.0`. */
const boundText = (bound: string | number | undefined): string =>
  typeof bound === "number" && Number.isInteger(bound) ? `${bound}.0` : String(bound);

function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  if (value === Number.NEGATIVE_INFINITY) return "-Inf";
  return String(value);
}

const escaped = (text: string): string =>
  text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
