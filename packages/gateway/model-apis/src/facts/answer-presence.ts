import { isJsonObject } from "../json/json-object.ts";
import type { JsonScanner } from "../json/json-scanner.ts";

/** What a whole answer with status 200 holds, whatever its API and however it came. */
export interface Held {
  /** Something was said: a text, a call, an item, a vector. */
  readonly content: boolean;
  /** The answer has an error beside it. */
  readonly error: boolean;
  /** Why the model stopped, once for each choice; null where it does not say. */
  readonly reasons: readonly (string | null)[];
  /** The member that the content would be in. */
  readonly member: string;
  /** What is wrong with an event that could not be read. */
  readonly unreadable?: string | null;
}

/** Servers name their own failures so: `error`, `network_error`. */
const failure = /error$/i;

/**
 * Why this is not an answer; null if it is one. An answer says something, or says why there is nothing to say: an
 * empty text with a finish reason is an answer.
 */
export function whyNoAnswer({ content, error, reasons, member, unreadable }: Held): string | null {
  const given = reasons.filter((reason) => reason !== null);
  const [first] = given;
  if (first !== undefined && given.every((reason) => failure.test(reason)))
    return `the finish reason is '${first}'`;
  if (content) return null;
  if (error) return "the answer is an error";
  if (first !== undefined) return null;
  const why = unreadable == null ? "" : `; ${unreadable}`;
  return `the answer has no ${member}${why}`;
}

/** Skips the value that is due. Returns whether it is a text, list or object that is not empty. */
export function skipContent(scanner: JsonScanner): boolean {
  const { at, bytes, kind } = scanner;
  scanner.skipValue();
  if (kind === "string") return scanner.at - at > 2;
  if (kind !== "array" && kind !== "object") return false;
  let next = at + 1;
  while (isSpace(bytes[next])) next += 1;
  return next < scanner.at - 1;
}

/** skipContent for parsed JSON. */
export function hasContent(value: unknown): boolean {
  if (Array.isArray(value) || typeof value === "string") return value.length > 0;
  return isJsonObject(value) && Object.keys(value).length > 0;
}

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
