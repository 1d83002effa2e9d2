import { parseJson } from "../json/exact-json.ts";
import { type JsonObject, objectOf } from "../json/json-object.ts";
import { JsonScanner } from "../json/json-scanner.ts";
import type { RequestBody } from "./request-body.ts";

/** Longer options are not read. */
const maxOptions = 16 * 1024;

/** The request's `stream_options`, of several the last as most decoders take it; empty if there are none. */
export function readStreamOptions(body: RequestBody): JsonObject {
  const scanner = new JsonScanner(body.bytes);
  let options: JsonObject = {};
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    const start = scanner.at;
    const isOptions = scanner.keyEquals("stream_options");
    // The history is most of a body, and its end is known.
    if (start === body.messages_start) scanner.at = body.messages_end;
    else scanner.skipValue();
    if (!isOptions || scanner.at - start > maxOptions) continue;
    const value = parseJson(body.bytes.toString("utf8", start, scanner.at));
    options = objectOf(value);
  }
  return options;
}
