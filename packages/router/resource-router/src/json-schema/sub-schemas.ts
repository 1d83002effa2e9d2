/** A JSON Schema (2020-12) that is not just true or false. */
export type JsonSchema = Record<string, unknown>;

const single = ["additionalProperties", "contains", "contentSchema", "else", "if", "items", "not"];
const more = ["propertyNames", "then", "unevaluatedItems", "unevaluatedProperties"];
const lists = ["allOf", "anyOf", "items", "oneOf", "prefixItems"];
const maps = ["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"];

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * A copy of a schema with its direct sub-schemas changed. Only those: a `$ref` may also be the name of a property, or
 * part of a default.
 * @param change gets each sub-schema and the JSON pointer that leads to it
 */
export function mapSubSchemas(
  schema: JsonSchema,
  change: (part: JsonSchema, pointer: string) => JsonSchema,
): JsonSchema {
  const copy = { ...schema };
  const changed = (part: unknown, pointer: string): unknown =>
    isSchema(part) ? change(part, pointer) : part;
  for (const name of [...single, ...more])
    if (isSchema(copy[name])) copy[name] = changed(copy[name], `/${name}`);
  for (const name of lists) {
    const parts = copy[name];
    if (Array.isArray(parts))
      copy[name] = parts.map((part, index) => changed(part, `/${name}/${index}`));
  }
  for (const name of maps) {
    const parts = copy[name];
    if (!isSchema(parts)) continue;
    const pairs = Object.entries(parts).map(([key, part]) => {
      const token = key.replaceAll("~", "~0").replaceAll("/", "~1");
      return [key, changed(part, `/${name}/${token}`)] as const;
    });
    copy[name] = Object.fromEntries(pairs);
  }
  return copy;
}
