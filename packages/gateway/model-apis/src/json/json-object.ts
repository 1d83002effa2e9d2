export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The elements of an array; none if it is not an array. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The objects in an array, without its other elements. */
export const objectsOf = (value: unknown): readonly JsonObject[] =>
  listOf(value).filter(isJsonObject);
