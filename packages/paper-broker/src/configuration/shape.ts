/** What a value of the configuration must be. */
export type Shape =
  | "string"
  | "number"
  | "boolean"
  /** A number or a string. */
  | "time"
  | { readonly oneOf: readonly string[] }
  | { readonly listOf: Shape }
  /** A map from any name to values of one shape. */
  | { readonly mapOf: Shape }
  | { readonly orNull: Shape }
  | { readonly members: Readonly<Record<string, Shape>>; readonly required?: readonly string[] };

/** Says what is wrong with a value, each on a line of its own, without the value: it may be a secret. */
export function* problemsOf(shape: Shape, value: unknown, at: string): Generator<string> {
  if (typeof shape === "string") {
    const types = shape === "time" ? ["number", "string"] : [shape];
    if (!types.includes(typeof value)) yield `${at} must be a ${types.join(" or a ")}`;
  } else if ("orNull" in shape) {
    if (value !== null) yield* problemsOf(shape.orNull, value, at);
  } else if ("oneOf" in shape) {
    if (!shape.oneOf.some((allowed) => allowed === value)) {
      yield `${at} must be one of ${shape.oneOf.join(", ")}`;
    }
  } else if ("listOf" in shape) {
    if (!Array.isArray(value)) return yield `${at} must be a list`;
    for (const [index, item] of value.entries()) {
      yield* problemsOf(shape.listOf, item, `${at}[${index}]`);
    }
  } else if (typeof value !== "object" || value === null || Array.isArray(value)) {
    yield `${at || "the configuration"} must be a map of names to values`;
  } else if ("mapOf" in shape) {
    for (const [name, member] of Object.entries(value)) {
      yield* problemsOf(shape.mapOf, member, `${at}.${name}`);
    }
  } else {
    yield* memberProblems(shape, value, at);
  }
}

function* memberProblems(
  { members, required = [] }: Extract<Shape, { readonly members: unknown }>,
  value: object,
  at: string,
): Generator<string> {
  const path = (name: string): string => (at === "" ? name : `${at}.${name}`);
  for (const name of required) {
    if (!Object.hasOwn(value, name)) yield `${path(name)} is missing`;
  }
  for (const [name, member] of Object.entries(value)) {
    const shape = Object.hasOwn(members, name) ? members[name] : undefined;
    if (shape === undefined) {
      yield `${path(name)} is no setting; there are ${Object.keys(members).join(", ")}`;
    } else yield* problemsOf(shape, member, path(name));
  }
}
