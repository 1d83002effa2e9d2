import { isJsonObject, type JsonObject } from "./json-objects.ts";

/** @throws TypeError the member is not a list of objects */
export function objectsOf(answer: JsonObject, member: string): readonly JsonObject[] {
  const value = answer[member];
  if (Array.isArray(value) && value.every(isJsonObject)) return value;
  throw new TypeError(`"${member}" is not a list of objects`);
}

/** The members of `data`, or of the answer itself if it has no `data`. */
export function dataOf(answer: JsonObject): JsonObject {
  return isJsonObject(answer.data) ? answer.data : answer;
}

/** Empty: the member is missing. @throws TypeError it is not a text */
export function textOf(object: JsonObject, member: string): string {
  const value = object[member] ?? "";
  if (typeof value === "string") return value;
  throw new TypeError(`"${member}" is not a text`);
}

/** Null: the member is missing or null. @throws TypeError it is something else */
export function numberOf(object: JsonObject, member: string): number | null {
  const value = object[member] ?? null;
  if (value === null || typeof value === "number") return value;
  throw new TypeError(`"${member}" is not a number`);
}

/** An id as text, from a number or a string. @throws TypeError it is neither */
export function idOf(object: JsonObject, member: string): string {
  const value = object[member];
  if (typeof value === "number" || (typeof value === "string" && value !== "")) return `${value}`;
  throw new TypeError(`"${member}" is not an id`);
}
