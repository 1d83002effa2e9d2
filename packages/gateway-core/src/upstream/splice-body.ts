import type { RouteConfig } from "@proj/gateway-protocol";
import { ByteSplice } from "../json/byte-splice.ts";
import { JsonScanner } from "../json/json-scanner.ts";
import { decodeString } from "../json/json-string.ts";
import type { RequestBody } from "../telemetry/request-body.ts";

/** Serialised members that a route sets: the value by name. */
type Members = ReadonlyMap<string, Buffer>;

const NOTHING: Buffer = Buffer.alloc(0);

/** The body that a route's upstream gets: the very same Buffer where the route changes nothing. */
export type BodySplicer = (body: RequestBody) => Buffer;

/**
 * Prepares what a route changes in every body: the name of the model, and the top-level members of
 * `extra_body` and, where the request streams, `extra_body_stream`. The route's value takes the
 * place of the first member of its name, and further ones of that name are removed, so that no
 * upstream can believe another; what the body lacks is appended. All else stays byte for byte.
 */
export function createBodySplicer(route: RouteConfig): BodySplicer {
  const model = route.upstream_model === null ? null : serialise(route.upstream_model);
  const plain = serialiseMembers([route.extra_body]);
  const streamed = serialiseMembers([route.extra_body, route.extra_body_stream]);

  return (body) => {
    const members = body.stream ? streamed : plain;
    if (model === null && members.size === 0) return body.bytes;
    const splice = new ByteSplice(body.bytes);
    if (members.size > 0) spliceMembers(splice, body, model, members);
    else if (model !== null) splice.replace(body.model_start, body.model_end, model);
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
  const placed = new Set<string>();
  let previousEnd = 0;
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    const name = decodeString(scanner.bytes, scanner.keyStart, scanner.keyEnd);
    const start = scanner.at;
    // The history is most of a body, and its end is known.
    if (start === body.messages_start) scanner.at = body.messages_end;
    else scanner.skipValue();
    const value = name === null ? undefined : members.get(name);
    if (start === body.model_start) {
      if (model !== null) splice.replace(start, scanner.at, model);
    } else if (name !== null && value !== undefined) {
      // A further one goes with the comma before it; the first stands somewhere in front.
      if (placed.has(name)) splice.replace(previousEnd, scanner.at, NOTHING);
      else splice.replace(start, scanner.at, value);
      placed.add(name);
    }
    previousEnd = scanner.at;
  }
  for (const [name, value] of members) {
    if (placed.has(name)) continue;
    splice.replace(
      previousEnd,
      previousEnd,
      Buffer.concat([Buffer.from(`,${JSON.stringify(name)}:`), value]),
    );
  }
}

function serialiseMembers(sources: readonly Readonly<Record<string, unknown>>[]): Members {
  const members = new Map<string, Buffer>();
  for (const source of sources) {
    for (const [name, value] of Object.entries(source)) {
      if (value !== undefined) members.set(name, serialise(value));
    }
  }
  return members;
}

function serialise(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
