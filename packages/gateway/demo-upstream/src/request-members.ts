import { isJsonObject, type JsonObject } from "@proj/model-apis/json";
import { ApiError } from "./api-error.ts";

// A null member counts as absent, as with the real service.

export function invalidType(param: string, expected: string): ApiError {
  return new ApiError(
    400,
    `Invalid type for '${param}': expected ${expected}.`,
    param,
    "invalid_type",
  );
}

export function invalidValue(param: string, expected: string): ApiError {
  return new ApiError(400, `Invalid '${param}': ${expected}.`, param, "invalid_value");
}

export function readString(body: JsonObject, name: string): string | null {
  const value = body[name] ?? null;
  if (value !== null && typeof value !== "string") throw invalidType(name, "a string");
  return value;
}

export function readBoolean(body: JsonObject, name: string): boolean {
  const value = body[name] ?? false;
  if (typeof value !== "boolean") throw invalidType(name, "a boolean");
  return value;
}

/** @param range inclusive */
export function readInteger(
  body: JsonObject,
  name: string,
  range: readonly [number, number],
): number | null {
  const value = body[name] ?? null;
  if (value === null) return null;
  if (typeof value !== "number" || !Number.isInteger(value)) throw invalidType(name, "an integer");
  const [least, most] = range;
  if (value < least || value > most) {
    const message = `Invalid '${name}': ${value} is not between ${least} and ${most}.`;
    throw new ApiError(400, message, name, "integer_out_of_range");
  }
  return value;
}

export function readObjects(body: JsonObject, name: string): readonly JsonObject[] {
  const value = body[name] ?? [];
  if (!Array.isArray(value) || !value.every(isJsonObject))
    throw invalidType(name, "an array of objects");
  return value;
}

export function readStrings(body: JsonObject, name: string, most: number): readonly string[] {
  const value = body[name] ?? [];
  const list: unknown[] = Array.isArray(value) ? value : [value];
  if (list.length > most) {
    throw new ApiError(
      400,
      `Invalid '${name}': at most ${most} values.`,
      name,
      "array_above_max_length",
    );
  }
  return list.map((item) => {
    if (typeof item !== "string") throw invalidType(name, "a string or an array of strings");
    return item;
  });
}

export function requireModel(body: JsonObject): string {
  const model = readString(body, "model");
  if (model === null || model === "") {
    throw new ApiError(
      400,
      "You must provide a model parameter.",
      "model",
      "missing_required_parameter",
    );
  }
  return model;
}
