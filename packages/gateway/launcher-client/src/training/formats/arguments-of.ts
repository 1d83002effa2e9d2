import { isJsonObject, type JsonObject } from "@proj/model-apis/json";

/** A call's arguments; those that are not a JSON object are kept as text, as its member `arguments`. */
export function argumentsOf(given: string): JsonObject {
  // Models write nothing for a function without parameters.
  if (given.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(given);
    if (isJsonObject(value)) return value;
  } catch {}
  return { arguments: given };
}
