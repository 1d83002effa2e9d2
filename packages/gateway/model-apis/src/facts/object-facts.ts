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
