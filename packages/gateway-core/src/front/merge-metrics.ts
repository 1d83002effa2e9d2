/** Metrics by name that are not summed over the workers. */
const most = /^nodejs_eventloop_lag_|^process_max_fds$/;
const least = /^process_start_time_seconds$/;

interface Family {
  readonly kind: string;
  /** The HELP and TYPE lines. */
  readonly about: string[];
  /** By name and labels. */
  readonly samples: Map<string, number>;
}

type Families = Map<string, Family>;

/**
 * One page of metrics over all workers: counters, histograms and gauges are summed. A dead worker's counts
 * stay included, as last read.
 */
export class MetricsMerger {
  /** By worker. */
  readonly #latest = new Map<number, Families>();
  #ofTheDead: Families = new Map();

  /** @param text the text of the worker's `/metrics` */
  read(worker: number, text: string): void {
    this.#latest.set(worker, parse(text));
  }

  /** A worker has died: from now on its number's counts are its successor's. */
  died(worker: number): void {
    const last = this.#latest.get(worker);
    if (last === undefined) return;
    this.#latest.delete(worker);
    const counted = new Map([...last].filter(([, { kind }]) => kind !== "gauge"));
    this.#ofTheDead = merge([this.#ofTheDead, counted]);
  }

  /** @param own values of the front itself, by name */
  render(own: Readonly<Record<string, number>>): string {
    const lines: string[] = [];
    for (const [name, { about, samples }] of merge([...this.#latest.values(), this.#ofTheDead])) {
      lines.push(...about);
      for (const [sample, value] of samples) lines.push(`${sample} ${own[name] ?? value}`);
      lines.push("");
    }
    return `${lines.join("\n")}\n`;
  }
}

function parse(text: string): Families {
  const families: Families = new Map();
  let family: Family = { kind: "", about: [], samples: new Map() };
  for (const line of text.split("\n")) {
    const [, word, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (word === "HELP") family = { kind: "", about: [line], samples: new Map() };
    if (word === "TYPE") {
      family = { kind: rest, about: [...family.about, line], samples: new Map() };
      families.set(name, family);
    }
    if (line === "" || line.startsWith("#")) continue;
    // A label's value may contain blanks; a sample's value never does.
    const end = line.lastIndexOf(" ");
    family.samples.set(line.slice(0, end), Number(line.slice(end + 1)));
  }
  return families;
}

function merge(all: readonly Families[]): Families {
  const merged: Families = new Map();
  for (const families of all) {
    for (const [name, { kind, about, samples }] of families) {
      const family = merged.get(name) ?? { kind, about, samples: new Map() };
      merged.set(name, family);
      for (const [sample, value] of samples) {
        const before = family.samples.get(sample);
        family.samples.set(sample, before === undefined ? value : joined(name, before, value));
      }
    }
  }
  return merged;
}

function joined(name: string, one: number, other: number): number {
  if (most.test(name)) return Math.max(one, other);
  return least.test(name) ? Math.min(one, other) : one + other;
}
