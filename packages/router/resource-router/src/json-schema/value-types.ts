import { type References, referenceOf } from "./references.ts";
import { isSchema, type JsonSchema } from "./sub-schemas.ts";

/** The types of the values that a schema accepts; null: any. */
export type ValueTypes = ReadonlySet<string> | null;

export function typesOf(schema: unknown, references: References, depth = 0): ValueTypes {
  // Beyond any real nesting: only a schema that refers to itself goes on.
  if (!isSchema(schema) || depth > 64) return null;
  const under = (part: unknown): ValueTypes => typesOf(part, references, depth + 1);
  const reference = referenceOf(schema);
  const all = [ownTypes(schema)];
  if (reference !== null) all.push(under(references.follow(reference)));
  for (const alternatives of [schema.anyOf, schema.oneOf])
    if (Array.isArray(alternatives)) all.push(anyOf(alternatives.map(under)));
  if (Array.isArray(schema.allOf)) all.push(...schema.allOf.map(under));
  return all.reduce(both, null);
}

/** The schema of a list's item; undefined: any. */
export function itemSchema(
  schema: unknown,
  index: number,
  references: References,
  depth = 0,
): unknown {
  if (!isSchema(schema) || depth > 64) return undefined;
  const { prefixItems, items, anyOf: any, oneOf: one, allOf: all } = schema;
  if (Array.isArray(prefixItems) && index < prefixItems.length) return prefixItems[index];
  if (items !== undefined) return items;
  const reference = referenceOf(schema);
  const parts = [any, one, all].flatMap((list) => (Array.isArray(list) ? list : []));
  if (reference !== null) parts.push(references.follow(reference));
  const found = parts.map((part) => itemSchema(part, index, references, depth + 1));
  return found.find((item) => item !== undefined);
}

function ownTypes({ type, const: only, enum: values }: JsonSchema): ValueTypes {
  if (typeof type === "string") return new Set([type]);
  if (Array.isArray(type)) return new Set(type);
  const given = only === undefined ? values : [only];
  return Array.isArray(given) ? new Set(given.map(typeOf)) : null;
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function anyOf(alternatives: readonly ValueTypes[]): ValueTypes {
  const known = alternatives.filter((types) => types !== null);
  return known.length < alternatives.length ? null : new Set(known.flatMap((types) => [...types]));
}

function both(one: ValueTypes, other: ValueTypes): ValueTypes {
  if (one === null || other === null) return one ?? other;
  return new Set([...one].filter((type) => other.has(type)));
}
