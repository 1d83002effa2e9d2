/** Regions and groups of regions that Bedrock's inference profiles prepend to a model's id. */
const profileRegion = /^(?:us|eu|apac|ap|jp|au|ca|sa|me|af|global|us-gov)\.(?=[a-z0-9-]+\.)/i;
/** A method of Google's REST API, or a router's variant: `:generateContent`, `:free`. */
const suffix = /:[a-z][\w-]*$/i;
export const snapshotDate: RegExp = /-20\d{2}-\d{2}-\d{2}$/;
/** A date that belongs to the name, because the maker has no name without it: `claude-3-opus-20240229`. */
const compactDate = /[-@]20\d{6}$/;

/** Names that differ only in case, or in the separator (`.`, `@`, `:`, `-`), are equal. */
export const canonicalName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[.@:]/g, "-")
    .replace(/(?<=-v\d{1,3})-0$/, "");

/**
 * What a name may mean, likeliest first: the name itself, without the platform's prefix (`openai/`, `us.`, `models/`,
 * an ARN), without a method (`:generateContent`), the base of a fine-tuned model (`ft:base:org`), and the base of a
 * dated snapshot.
 */
export function* formsOf(name: string): Generator<string> {
  const seen = new Set<string>();
  for (const start of startsOf(name)) {
    for (const form of cutForms(start)) {
      if (form === "" || seen.has(form)) continue;
      seen.add(form);
      yield form;
    }
  }
  if (snapshotDate.test(name)) yield* formsOf(name.replace(snapshotDate, ""));
}

/** Longer names are not split at slashes: no model has one. */
const maxName = 300;

export function* startsOf(name: string): Generator<string> {
  yield name;
  if (name.length > maxName) return;
  for (let at = 0; at < name.length; at++) {
    if (name[at] === "/" || name[at] === ":") yield name.slice(at + 1);
  }
}

export function* cutForms(name: string): Generator<string> {
  const inRegion = name.replace(profileRegion, "");
  yield name;
  yield inRegion;
  if (name.startsWith("ft:")) yield name.slice(3).split(":", 1)[0] ?? "";
  if (suffix.test(inRegion)) yield inRegion.replace(suffix, "");
}

/** The ids of a feed, looked up by any name for them. */
export class ModelNames {
  readonly #ids = new Map<string, Set<string>>();
  /** Ids that end in such a date, by the name without it. */
  readonly #undated = new Map<string, Set<string>>();

  constructor(ids: Iterable<string>) {
    for (const id of ids) {
      if (id === "") continue;
      const key = canonicalName(id);
      add(this.#ids, key, id);
      // Azure writes gpt-35-turbo for gpt-3.5-turbo.
      if (/\d\.\d/.test(id))
        add(this.#undated, canonicalName(id.replace(/(?<=\d)\.(?=\d)/g, "")), id);
      if (compactDate.test(id)) add(this.#undated, canonicalName(id.replace(compactDate, "")), id);
    }
  }

  /** The ids that one form of a name may mean; an identical one comes first. */
  find(form: string): readonly string[] {
    const key = canonicalName(form);
    const ids = [...(this.#ids.get(key) ?? this.#undated.get(key) ?? [])];
    return ids.sort((a, b) => Number(b === form) - Number(a === form));
  }

  /** The ids that a name means in its likeliest form; empty if there are none. */
  resolve(name: string): readonly string[] {
    for (const form of formsOf(name)) {
      const ids = this.find(form);
      if (ids.length > 0) return ids;
    }
    return [];
  }

  /** The newest dated snapshots of a name that has no date itself: that of `gpt-5` is `gpt-5-2025-08-07`. */
  snapshotsOf(name: string): readonly string[] {
    for (const form of formsOf(name)) {
      const base = `${canonicalName(form)}-`;
      const found = [...this.#ids].filter(
        ([key]) => key.startsWith(base) && /^20\d{2}-\d{2}-\d{2}$/.test(key.slice(base.length)),
      );
      const newest = found
        .map(([key]) => key)
        .sort()
        .at(-1);
      if (newest !== undefined) return [...(this.#ids.get(newest) ?? [])];
    }
    return [];
  }

  /** The canonical names that an id may be found by. */
  get keys(): readonly string[] {
    return [...new Set([...this.#ids.keys(), ...this.#undated.keys()])];
  }
}

function add(map: Map<string, Set<string>>, key: string, id: string): void {
  const ids = map.get(key);
  if (ids === undefined) map.set(key, new Set([id]));
  else ids.add(id);
}
