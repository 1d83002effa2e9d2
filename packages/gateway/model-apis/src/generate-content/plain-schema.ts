import { isJsonObject, type JsonObject } from "../json/json-object.ts";

/** Numbers of 64 bits, which Google's APIs write as texts. */
const counts: ReadonlySet<string> = new Set([
  ...["maxItems", "minItems", "maxLength", "minLength", "maxProperties", "minProperties"],
]);

/** The names in these are the caller's. */
const named: ReadonlySet<string> = new Set(["properties", "$defs", "definitions"]);

/** A schema as JSON Schema writes it: Google's own schemas have their types in capitals. */
export function plainSchema({ nullable, ...schema }: JsonObject): JsonObject {
  const plain = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, plainMember(name, value)]),
  );
  return nullable === true && typeof plain.type === "string"
    ? { ...plain, type: [plain.type, "null"] }
    : plain;
}

function plainMember(name: string, value: unknown): unknown {
  if (name === "type" && typeof value === "string") return value.toLowerCase();
  if (counts.has(name) && typeof value === "string") return Number(value);
  if (named.has(name) && isJsonObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([property, schema]) => [property, plainValue(schema)]),
    );
  return plainValue(value);
}

function plainValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainValue);
  return isJsonObject(value) ? plainSchema(value) : value;
}
