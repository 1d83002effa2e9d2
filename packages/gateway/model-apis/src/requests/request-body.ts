import { InvalidRequest } from "../api-error.ts";
import { JsonScanner } from "../json/json-scanner.ts";
import {
  decodeString,
  foldedUnit,
  stringEquals,
  stringEqualsFolded,
  UNKNOWN_ESCAPE,
} from "../json/json-string.ts";
import { JsonSyntaxError } from "../json/json-syntax-error.ts";
import type { ToldByPath } from "./request-path.ts";

/** A request's body with what routing read from it. Offsets are in bytes; an end is exclusive. */
export interface RequestBody {
  readonly bytes: Buffer;
  readonly model: string;
  readonly stream: boolean;
  /** Where the value of `stream` begins; 0 if there is none. */
  readonly stream_start: number;
  /** Where the value of `model` begins, quotes included; both 0 if the path names it. */
  readonly model_start: number;
  readonly model_end: number;
  /** Where the value of the growing member (`messages`, `input`) begins; both 0 if there is none. */
  readonly messages_start: number;
  readonly messages_end: number;
  /** The body contains a key whose string value may have to be redacted. */
  readonly sensitive: boolean;
}

const inBodies: readonly string[] = ["model", "stream"];
const nowhere: readonly string[] = [];

/**
 * Reads what routing needs from a request's body: only its top level. Everything below is skipped by
 * structure and left to the upstream to judge.
 * @param history the name of the member that grows; null: the endpoint has none
 * @param known a body that this one begins with (`beginsLike`): the shared part is not read again
 * @param told what the path said in the body's place; null: the body has to say it
 * @throws InvalidRequest
 */
export function readRequestBody(
  bytes: Buffer,
  history: string | null,
  known: RequestBody | null = null,
  told: ToldByPath | null = null,
): RequestBody {
  try {
    return readTopLevel(bytes, history, known, told);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new InvalidRequest(`The body is not valid JSON: ${error.message}.`, null, {
      cause: error,
    });
  }
}

/**
 * Whether a body begins with all of a known one up to the end of its last message, so that it continues that
 * history.
 */
export function beginsLike(bytes: Buffer, known: RequestBody): boolean {
  const shared = sharedEnd(known);
  return bytes.length > shared && known.bytes.compare(bytes, 0, shared, 0, shared) === 0;
}

/** Offset of the bracket that ends the messages. */
export const sharedEnd = ({ messages_end }: RequestBody): number => messages_end - 1;

/** Whether another body can continue this one: its last message is an object, which nothing can lengthen. */
export function canGoOn({ bytes, messages_end }: RequestBody): boolean {
  return bytes[messages_end - 1] === CLOSE_ARRAY && bytes[messages_end - 2] === CLOSE_OBJECT;
}

const CLOSE_ARRAY = 0x5d;
const CLOSE_OBJECT = 0x7d;

function readTopLevel(
  bytes: Buffer,
  history: string | null,
  known: RequestBody | null,
  told: ToldByPath | null,
): RequestBody {
  const scanner = openBody(bytes);
  const routing = told === null ? inBodies : nowhere;
  let model: string | null = told?.model ?? null;
  let stream: boolean | null = told?.stream ?? null;
  let streamStart = 0;
  let modelStart = 0;
  let modelEnd = 0;
  let historyStart = 0;
  let historyEnd = 0;
  let more: boolean;
  if (known === null) more = scanner.enterObject();
  else {
    historyStart = known.messages_start;
    historyEnd = skipRestOfArray(scanner, sharedEnd(known));
    if (told === null && known.model_start < historyStart) {
      model = known.model;
      modelStart = known.model_start;
      modelEnd = known.model_end;
    }
    if (known.stream_start !== 0 && known.stream_start < historyStart) {
      stream = known.stream;
      streamStart = known.stream_start;
    }
    more = scanner.nextMember();
  }
  for (; more; more = scanner.nextMember()) {
    const name = routingName(scanner, routing, history);
    const keyAt = scanner.keyStart - 1;
    const start = scanner.at;
    scanner.skipValue();
    if (name === null) continue;
    if (name === history) {
      if (historyStart !== 0) throw repeated(name, keyAt);
      historyStart = start;
      historyEnd = scanner.at;
    } else if (name === "model") {
      if (model !== null) throw repeated(name, keyAt);
      model = readModel(bytes, start, scanner.at);
      modelStart = start;
      modelEnd = scanner.at;
    } else {
      if (stream !== null) throw repeated(name, keyAt);
      stream = readStream(bytes, start, scanner.at);
      streamStart = start;
    }
  }
  scanner.finish();
  if (model === null) {
    throw new InvalidRequest(
      "The body has no 'model'; it must name a route of the gateway.",
      "model",
    );
  }
  return {
    bytes,
    model,
    stream: stream ?? false,
    stream_start: streamStart,
    model_start: modelStart,
    model_end: modelEnd,
    messages_start: historyStart,
    messages_end: historyEnd,
    sensitive: scanner.sensitive,
  };
}

/** From the end of an array's element to the end of the array. */
function skipRestOfArray(scanner: JsonScanner, elementEnd: number): number {
  scanner.at = elementEnd;
  while (scanner.nextElement()) scanner.skipValue();
  return scanner.at;
}

function openBody(bytes: Buffer): JsonScanner {
  const scanner = new JsonScanner(bytes);
  if (scanner.kind === "object") return scanner;
  if (scanner.at === bytes.length) {
    throw new InvalidRequest(
      `The body is empty up to byte ${scanner.at}; it must be a JSON object.`,
    );
  }
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw new InvalidRequest(
      "The body begins with a byte order mark at byte 0; send UTF-8 without one.",
    );
  }
  const found =
    scanner.kind === "none" ? "something that is not JSON" : `JSON of kind ${scanner.kind}`;
  throw new InvalidRequest(
    `The body must be a JSON object; ${found} begins at byte ${scanner.at}.`,
  );
}

/**
 * Which routing key the last key may be read as, by us or by any upstream; else null. Upstreams differ in
 * whether they ignore case, and a gateway that disagrees with its upstream can be bypassed: so any spelling
 * but lower case is refused.
 */
function routingName(
  scanner: JsonScanner,
  routing: readonly string[],
  history: string | null,
): string | null {
  const first = foldedUnit(scanner.bytes, scanner.keyStart);
  for (const name of routing) if (isTakenFor(name, scanner, first)) return name;
  return history !== null && isTakenFor(history, scanner, first) ? history : null;
}

/** @param first the key's first character, folded */
function isTakenFor(name: string, scanner: JsonScanner, first: number): boolean {
  const { bytes, keyStart, keyEnd, keyEscaped } = scanner;
  if (first !== name.charCodeAt(0) && first !== UNKNOWN_ESCAPE) return false;
  if (keyEnd - keyStart < name.length) return false;
  if (!stringEqualsFolded(bytes, keyStart, keyEnd, name)) return false;
  if (stringEquals(bytes, keyStart, keyEnd, keyEscaped, name)) return true;
  throw new InvalidRequest(
    `The key at byte ${keyStart - 1} must be spelled '${name}', in lower case.`,
    name,
  );
}

function readModel(bytes: Buffer, start: number, end: number): string {
  const model = bytes[start] === 0x22 ? decodeString(bytes, start + 1, end - 1) : null;
  if (model !== null && model !== "") return model;
  throw new InvalidRequest(`'model' must be a non-empty string; see byte ${start}.`, "model");
}

function readStream(bytes: Buffer, start: number, end: number): boolean {
  if (stringEquals(bytes, start, end, false, "true")) return true;
  if (stringEquals(bytes, start, end, false, "false")) return false;
  if (stringEquals(bytes, start, end, false, "null")) return false;
  throw new InvalidRequest(`'stream' must be true, false or null; see byte ${start}.`, "stream");
}

function repeated(name: string, keyAt: number): InvalidRequest {
  return new InvalidRequest(`'${name}' is in the body again at byte ${keyAt}; send it once.`, name);
}
