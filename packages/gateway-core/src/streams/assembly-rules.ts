/**
 * How the pieces of one member become its value. A value of another kind than the rule expects
 * counts only while none of the expected kind came; null never takes a value's place.
 *
 * - `first`: the first that is not null or empty; `last`: the last that is not null
 * - `text`: strings are appended; `list`: arrays are; `base64`: decoded, appended, encoded
 * - `json`: strings are appended, and are the value's JSON text together
 * - `omitted`: left out
 * - `object`: members are assembled by rules of their own, and written under `name` where it is given
 * - `entries`: arrays of objects, assembled each with those of the same `index` (absent: of the same
 *   `id`, else a new one) and written in the order of their indexes
 */
export type AssemblyRule =
  | "first"
  | "last"
  | "text"
  | "list"
  | "json"
  | "base64"
  | "omitted"
  | { readonly object: ObjectRules; readonly name?: string }
  | { readonly entries: ObjectRules; readonly splitByType?: boolean };

export interface ObjectRules {
  readonly members: ReadonlyMap<string, AssemblyRule>;
  /** For every member that is not named. */
  readonly otherwise: AssemblyRule;
  /** Members that are written, as null, even where they never came. */
  readonly always: readonly string[];
}

export function objectRules(
  otherwise: AssemblyRule,
  members: Readonly<Record<string, AssemblyRule>>,
  always: readonly string[] = [],
): ObjectRules {
  return { members: new Map(Object.entries(members)), otherwise, always };
}
