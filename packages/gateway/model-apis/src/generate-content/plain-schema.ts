import { isJsonObject, type JsonObject } from "../json/json-object.ts";

/** A schema as JSON Schema writes it: Google's own schemas have their types in capitals. */
export function plainSchema(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name,
      name === "type" && typeof value === "string" ? value.toLowerCase() : plainValue(value),
    ]),
  );
}

function plainValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainValue);
  return isJsonObject(value) ? plainSchema(value) : value;
}
