import { isJsonObject } from "../json/json-object.ts";
import type { JsonScanner } from "../json/json-scanner.ts";
import { decodeString } from "../json/json-string.ts";
import { noTokens, type TokenCounts } from "./token-counts.ts";

/** Facts read from an answer that is one object; null where the answer does not say. */
export interface ObjectFacts {
  readonly tokens: { -readonly [Name in keyof TokenCounts]: TokenCounts[Name] };
  /** The model that answered. */
  model: string | null;
  finishReason: string | null;
  /** Why this is not an answer of the API although its HTTP status is 200; null if it is one. */
  noAnswer: string | null;
  /** The answer is not made yet and will be asked for later. */
  isPending: boolean;
  /** The id under which the upstream may be asked for the object again. */
  objectId: string | null;
}

export const noFacts = (): ObjectFacts => {
  return {
    tokens: { ...noTokens },
    model: null,
    finishReason: null,
    noAnswer: null,
    isPending: false,
    objectId: null,
  };
};

/**
 * Skips the value that is due, of a member `error`. Returns whether it is an error: some upstreams send null
 * when there is none.
 */
export function skipError(scanner: JsonScanner): boolean {
  const isError = scanner.kind === "object" || scanner.kind === "string";
  scanner.skipValue();
  return isError;
}

/** Fills in the facts of the object that is due, until its structure can no longer be followed. */
export type ReadFacts = (scanner: JsonScanner, facts: ObjectFacts) => void;

/** The string value of one member of the object that is due; null if it has none. */
export function readMember(scanner: JsonScanner, name: string): string | null {
  let value: string | null = null;
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    if (scanner.keyEquals(name)) value = readString(scanner);
    else scanner.skipValue();
  }
  return value;
}

export function readString(scanner: JsonScanner): string | null {
  const { at, bytes, kind } = scanner;
  scanner.skipValue();
  return kind === "string" ? decodeString(bytes, at + 1, scanner.at - 1) : null;
}

/** How many elements the array that is due has. */
export function countElements(scanner: JsonScanner): number {
  let count = 0;
  for (let more = scanner.enterArray(); more; more = scanner.nextElement()) {
    scanner.skipValue();
    count += 1;
  }
  return count;
}

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
