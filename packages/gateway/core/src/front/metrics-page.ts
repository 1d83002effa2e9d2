import type { ScrapeFormat } from "../metrics/scrape-format.ts";

interface Exemplar {
  /** Its labels, value and time, as the worker wrote them. */
  readonly text: string;
  /** Seconds since the epoch. */
  readonly at: number;
}

export interface PageSample {
  readonly value: number;
  /** The span of one of the observations that it counts; null: none. */
  readonly exemplar: Exemplar | null;
}

interface Family {
  readonly kind: string;
  readonly help: string;
  /** By name and labels. */
  readonly samples: Map<string, PageSample>;
}

/** By name in OpenMetrics, where a counter's has no `_total`. */
export type Families = Map<string, Family>;

/** Name and labels, whose values may contain anything; the value; perhaps an exemplar. */
const sampleLine = /^([^\s{]+(?:\{(?:[^"}]|"(?:[^"\\]|\\.)*")*\})?) (\S+)(?: # (.+))?$/;

/** @param text a page in OpenMetrics, which has more than Prometheus's own text */
export function parsePage(text: string): Families {
  const families: Families = new Map();
  let help = "";
  let family: Family = { kind: "", help, samples: new Map() };
  for (const line of text.split("\n")) {
    const [, word, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (word === "HELP") help = rest;
    if (word === "TYPE") {
      family = { kind: rest, help, samples: new Map() };
      families.set(name, family);
    }
    if (line.startsWith("#")) continue;
    const [, sample, value = "", exemplar] = sampleLine.exec(line) ?? [];
    if (sample === undefined) continue;
    family.samples.set(sample, {
      value: value === "+Inf" ? Number.POSITIVE_INFINITY : Number(value),
      exemplar: exemplar === undefined ? null : { text: exemplar, at: timeOf(exemplar) },
    });
  }
  return families;
}

const timeOf = (exemplar: string): number => Number(exemplar.slice(exemplar.lastIndexOf(" ")));

/** Writes the page as a single gateway would in that format. */
export function pageText(families: Families, format: ScrapeFormat): string {
  return format === "openmetrics" ? openMetricsPage(families) : prometheusPage(families);
}

function openMetricsPage(families: Families): string {
  const lines: string[] = [];
  for (const [name, { kind, help, samples }] of families) {
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`);
    for (const [sample, { value, exemplar }] of samples)
      lines.push(`${sample} ${numberText(value)}${exemplar === null ? "" : ` # ${exemplar.text}`}`);
  }
  return `${lines.join("\n")}\n# EOF\n`;
}

function prometheusPage(families: Families): string {
  const lines: string[] = [];
  for (const [family, { kind, help, samples }] of families) {
    const name = kind === "counter" ? `${family}_total` : family;
    lines.push(`# HELP ${name} ${help.replaceAll('\\"', '"')}`, `# TYPE ${name} ${kind}`);
    for (const [sample, { value }] of samples)
      lines.push(`${sample.replace(wholeBound, '$1"')} ${numberText(value)}`);
    lines.push("");
  }
  return `${lines.join("\n")}\n`;
}

/** A whole bucket bound, which only OpenMetrics writes with a fraction (`1.0`). */
const wholeBound = /(?<=[{,])(le="\d+)\.0"/;

const numberText = (value: number): string =>
  value === Number.POSITIVE_INFINITY ? "+Inf" : String(value);
