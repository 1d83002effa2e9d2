export interface MetricFamily {
  readonly type: string;
  readonly help: string;
  readonly samples: Sample[];
}

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const sampleLine = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y;

/** Parses the text format of Prometheus 0.0.4 and throws at anything that a scraper would refuse. */
export function parsePrometheusText(text: string): Map<string, MetricFamily> {
  if (!text.endsWith("\n")) throw new Error("the last line is not ended");
  const families = new Map<string, MetricFamily>();
  const helps = new Map<string, string>();
  for (const line of text.split("\n").filter((line) => line !== "")) {
    const [, keyword, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (keyword === "HELP") helps.set(name, rest);
    else if (keyword === "TYPE") {
      const help = helps.get(name);
      if (help === undefined || families.has(name))
        throw new Error(`without help, or repeated: ${line}`);
      families.set(name, { type: rest, help, samples: [] });
    } else readSample(families, line);
  }
  return families;
}

/** The value of the only sample with this name and exactly these labels; undefined if there is none. */
export function sampleValue(
  families: ReadonlyMap<string, MetricFamily>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const key = labelKey(labels);
  for (const { samples } of families.values())
    for (const sample of samples)
      if (sample.name === name && labelKey(sample.labels) === key) return sample.value;
  return undefined;
}

function readSample(families: ReadonlyMap<string, MetricFamily>, line: string): void {
  const [, name = "", labelText = "", valueText = ""] = sampleLine.exec(line) ?? [];
  const family = families.get(name) ?? families.get(name.replace(/_(bucket|sum|count)$/, ""));
  const value = valueText === "+Inf" ? Number.POSITIVE_INFINITY : Number(valueText);
  if (family === undefined || valueText === "" || Number.isNaN(value))
    throw new Error(`not a sample: ${line}`);
  const sample = { name, labels: readLabels(labelText), value };
  const key = labelKey(sample.labels);
  if (family.samples.some((other) => other.name === name && labelKey(other.labels) === key))
    throw new Error(`repeated: ${line}`);
  family.samples.push(sample);
}

function readLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  label.lastIndex = 0;
  while (label.lastIndex < text.length) {
    const found = label.exec(text);
    const [, name, value] = found ?? [];
    if (name === undefined || value === undefined) throw new Error(`not labels: ${text}`);
    labels[name] = value.replace(/\\(.)/g, (_, character) =>
      character === "n" ? "\n" : character,
    );
  }
  return labels;
}

function labelKey(labels: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(labels).sort());
}
