import { readMember, readString } from "../facts/object-facts.ts";
import { JsonScanner } from "../json/json-scanner.ts";
import type { RequestBody } from "../requests/request-body.ts";

/** The member, or the kind of object, by which a request names what was said before. */
export type ReferenceKind = "previous_response_id" | "conversation" | "thread";

/** What a request leaves out because the upstream is to have kept it. */
export interface Reference {
  readonly by: ReferenceKind;
  /** The answer or conversation that it continues; null: it asks to keep this one, which is whole. */
  readonly id: string | null;
}

/** Reads a request's reference from the member that is due, which it consumes; null: it is none. */
export type ReadReference = (scanner: JsonScanner) => Reference | null;

/**
 * Finds the reference of a request that routing has read, so its structure is known to be sound.
 * @param readers by the name of the member
 */
export function findReference(
  body: RequestBody,
  readers: Readonly<Record<string, ReadReference>>,
): Reference | null {
  const names = Object.keys(readers);
  if (!mayName(body, names)) return null;
  const scanner = new JsonScanner(body.bytes);
  let found: Reference | null = null;
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    if (scanner.at === body.messages_start) scanner.at = body.messages_end;
    else {
      const name = names.find((each) => scanner.keyEquals(each));
      const read = name === undefined ? undefined : readers[name];
      if (read === undefined) scanner.skipValue();
      else found = read(scanner) ?? found;
    }
  }
  return found;
}

/** Whether a request asks the upstream not to keep its answer: `store: false`. */
export function asksNotToStore(body: RequestBody): boolean {
  if (!mayName(body, ["store"])) return false;
  const scanner = new JsonScanner(body.bytes);
  let asks = false;
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    const { at } = scanner;
    if (at === body.messages_start) scanner.at = body.messages_end;
    else scanner.skipValue();
    if (scanner.keyEquals("store"))
      asks = body.bytes.toString("latin1", at, scanner.at) === "false";
  }
  return asks;
}

export const byString =
  (by: ReferenceKind): ReadReference =>
  (scanner) => {
    const id = readString(scanner);
    return id === null || id === "" ? null : { by, id };
  };

/** An id, or an object with one. */
export const byIdOrObject =
  (by: ReferenceKind): ReadReference =>
  (scanner) => {
    if (scanner.kind !== "object") return byString(by)(scanner);
    const id = readMember(scanner, "id");
    return id === null || id === "" ? null : { by, id };
  };

/** Most requests have none of the names, which a search finds out faster than a walk. */
function mayName({ bytes, messages_start, messages_end }: RequestBody, names: readonly string[]) {
  const parts = [bytes.subarray(0, messages_start), bytes.subarray(messages_end)];
  // A key may also be written with escapes.
  return parts.some((part) => part.includes("\\u") || names.some((name) => part.includes(name)));
}
