import { maskUrl } from "../secret-masking.ts";
import type { KeyPath } from "./key-path.ts";

const typeNames: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  integer: "a whole number",
  null: "null",
  number: "a number",
  object: "keys and values",
  string: "a string",
};

/** What a schema's `type` asks for. */
export const describeTypes = (types: readonly string[]): string =>
  types.map((type) => typeNames[type] ?? type).join(" or ");

const secretKeys = new Set([
  "api_key",
  "api_keys",
  "session_secret",
  "headers",
  "extra_body",
  "extra_body_stream",
]);

/** Whether what stands at a path may be a credential, or have one in it. */
export const isSecretPath = (path: KeyPath): boolean => path.some((key) => secretKeys.has(key));

const longestShown = 80;

/** A value as an error may show it: never one that could be a credential. */
export function describeFound(path: KeyPath, value: unknown): string {
  if (value === null) return "nothing (null)";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "keys and values";
  if (isSecretPath(path)) return typeof value === "boolean" ? "true or false" : `a ${typeof value}`;
  if (typeof value !== "string") return String(value);
  const shown = maskUrl(value);
  return JSON.stringify(shown.length > longestShown ? `${shown.slice(0, longestShown)}…` : shown);
}
