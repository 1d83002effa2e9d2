import { ByteSplice } from "../json/byte-splice.ts";
import { JsonScanner } from "../json/json-scanner.ts";
import { decodeString } from "../json/json-string.ts";
import type { RequestBody } from "./request-body.ts";

/** What a route changes in every body. */
export interface BodyChanges {
  /** The model's name upstream; null: as the caller wrote it. */
  readonly upstream_model: string | null;
  readonly extra_body: Readonly<Record<string, unknown>>;
  readonly extra_body_stream: Readonly<Record<string, unknown>>;
}

/** A serialised member that a route sets. */
interface Member {
  readonly name: string;
  readonly key: Buffer;
  readonly value: Buffer;
}

/** Keyed by folded name. */
type Members = ReadonlyMap<string, Member>;

const NOTHING = new Uint8Array();
const COMMA = new TextEncoder().encode(",");
const COLON = new TextEncoder().encode(":");

/** Returns the body for a route's upstream: the very same Buffer if the route changes nothing. */
export type BodySplicer = (body: RequestBody) => Buffer;

/**
 * Prepares a route's changes to every body: the model's name, and the top-level members of `extra_body` and,
 * if the request streams, `extra_body_stream`. The route's member replaces the first one with its name, in
 * any case, and further ones are removed, so that no upstream can read a different value: some decoders
 * ignore case and take the last one. Missing members are appended. All other bytes stay as they are.
 */
export function createBodySplicer(route: BodyChanges): BodySplicer {
  const model = route.upstream_model === null ? null : serialise(route.upstream_model);
  const plain = serialiseMembers([route.extra_body]);
  const streamed = serialiseMembers([route.extra_body, route.extra_body_stream]);

  return (body) => {
    const members = body.stream ? streamed : plain;
    if (model === null && members.size === 0) return body.bytes;
    const splice = new ByteSplice(body.bytes);
    if (members.size > 0) spliceMembers(splice, body, model, members);
    else if (model !== null && body.model_end > 0)
      splice.replace(body.model_start, body.model_end, model);
    return splice.apply();
  };
}

function spliceMembers(
  splice: ByteSplice,
  body: RequestBody,
  model: Buffer | null,
  members: Members,
): void {
  const scanner = new JsonScanner(body.bytes);
  const placed = new Set<Member>();
  let previousEnd = 0;
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    const { keyStart, keyEnd } = scanner;
    const name = decodeString(scanner.bytes, keyStart, keyEnd);
    const start = scanner.at;
    // The history is most of a body, and its end is known.
    if (start === body.messages_start) scanner.at = body.messages_end;
    else scanner.skipValue();
    const member = name === null ? undefined : members.get(foldCase(name));
    if (start === body.model_start) {
      if (model !== null) splice.replace(start, scanner.at, model);
    } else if (member !== undefined) {
      // A further one is removed with the comma before it; the first one keeps its place.
      if (placed.has(member)) splice.replace(previousEnd, scanner.at, NOTHING);
      else {
        if (name !== member.name) splice.replace(keyStart - 1, keyEnd + 1, member.key);
        splice.replace(start, scanner.at, member.value);
      }
      placed.add(member);
    }
    previousEnd = scanner.at;
  }
  for (const member of members.values()) {
    if (placed.has(member)) continue;
    const { key, value } = member;
    splice.replace(previousEnd, previousEnd, Buffer.concat([COMMA, key, COLON, value]));
  }
}

/** Via upper case, so that the long s and the Kelvin sign become the letters that Go folds them to. */
export const foldCase = (name: string): string => name.toUpperCase().toLowerCase();

function serialiseMembers(sources: readonly Readonly<Record<string, unknown>>[]): Members {
  const members = new Map<string, Member>();
  for (const source of sources) {
    for (const [name, value] of Object.entries(source)) {
      if (value === undefined) continue;
      members.set(foldCase(name), { name, key: serialise(name), value: serialise(value) });
    }
  }
  return members;
}

function serialise(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
