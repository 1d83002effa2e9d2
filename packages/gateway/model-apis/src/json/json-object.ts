export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value if it is an object, else one without members. */
export const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** The same of a JSON text, which may be anything. */
export function parsedObject(text: string | null): JsonObject {
  try {
    return objectOf(JSON.parse(text ?? "null"));
  } catch {
    return {};
  }
}

/** The elements of an array; none if it is not an array. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The objects in an array, without its other elements. */
export const objectsOf = (value: unknown): readonly JsonObject[] =>
  listOf(value).filter(isJsonObject);
