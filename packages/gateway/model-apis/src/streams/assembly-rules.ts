/**
 * How the pieces of one member become its value. A piece of a kind that the rule does not expect counts only
 * until one of the expected kind comes; null never replaces a value.
 *
 * - `first`: the first that is not null or empty; `last`: the last that is not null; `real`: the last that is not null,
 *   empty or 0
 * - `name`: a text in pieces, which some servers repeat whole
 * - `text`: strings are concatenated; `list`: arrays are; `base64`: decoded, concatenated, encoded
 * - `json`: strings are concatenated into the value's JSON text
 * - `omitted`: left out
 * - `object`: members are assembled by their own rules, and written under `name` if given
 * - `content`: a text, or parts of these rules, told apart by their `type`
 * - `entries`: arrays of objects, each assembled with those of the same `index` (without one: of the same
 *   `id`, else a new one) and written in the order of their indexes; `told` says if more than that tells them apart:
 *   another `type`, a piece that is whole (`begin`), or what the pieces of `calls` say
 */
export type AssemblyRule =
  | "first"
  | "last"
  | "real"
  | "name"
  | "text"
  | "list"
  | "json"
  | "base64"
  | "omitted"
  | { readonly object: ObjectRules; readonly name?: string }
  | { readonly content: ObjectRules }
  | { readonly entries: ObjectRules; readonly told?: "type" | "begin" | "calls" };

export interface ObjectRules {
  readonly members: ReadonlyMap<string, AssemblyRule>;
  /** The rule for every member that is not named. */
  readonly otherwise: AssemblyRule;
  /** Members that are written as null even if they never came. */
  readonly always: readonly string[];
}

export function objectRules(
  otherwise: AssemblyRule,
  members: Readonly<Record<string, AssemblyRule>>,
  always: readonly string[] = [],
): ObjectRules {
  return { members: new Map(Object.entries(members)), otherwise, always };
}
