import { skipBlanks } from "./byte-classes.ts";
import { asBuffer, ByteSplice } from "./byte-splice.ts";
import { decodeString, findStringEnd } from "./json-string.ts";
import { isKeptKey, isSensitiveKey } from "./sensitive-key.ts";

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const MARKS: Uint8Array = marks();
const REPLACEMENT: Uint8Array = new TextEncoder().encode("[REDACTED]");

type ContainerRole = "kept" | "schema" | "schema_holder";

/** How redaction treats objects and arrays under a key; other keys have no role. */
const CONTAINER_ROLES: ReadonlyMap<string, ContainerRole> = new Map([
  ["arguments", "kept"],
  ["guided_json", "kept"],
  ["response_schema", "kept"],
  // Schemas only somewhere below a holder: elsewhere these names are too common.
  ["parameters", "schema"],
  ["input_schema", "schema"],
  ["output_schema", "schema"],
  ["json_schema", "schema"],
  ["schema", "schema"],
  ["json", "schema"],
  ["tools", "schema_holder"],
  ["functions", "schema_holder"],
  ["response_format", "schema_holder"],
  ["format", "schema_holder"],
  ["structured_outputs", "schema_holder"],
]);
const SHORTEST_ROLE = 4;

/**
 * Replaces the credentials in a JSON text by `[REDACTED]` and leaves every other byte as it is. Credentials
 * are the string values of keys that `isSensitiveKey` accepts.
 * Never touched: values of keys ending in logprobs, token_ids or tokens, tool and response schemas, arguments
 * of tool calls, and the inside of strings.
 *
 * Works on any text, even if it was cut or is not JSON; a value that was cut is replaced up to the end.
 * Returns the same object if nothing had to be replaced.
 */
export function redact(text: Uint8Array): Uint8Array {
  const bytes = asBuffer(text);
  const splice = new ByteSplice(bytes);
  replaceCredentials(bytes, splice);
  const redacted = splice.apply();
  return redacted === bytes ? text : redacted;
}

/** Follows tokens, not the grammar, so garbage does not stop it. */
function replaceCredentials(bytes: Buffer, splice: ByteSplice): void {
  let depth = 0;
  /** Depth of the outermost open schema holder; 0 if none is open. */
  let holderDepth = 0;
  let at = 0;
  for (;;) {
    at = findMark(bytes, at);
    const byte = bytes[at];
    if (byte === undefined) return;
    if (byte !== QUOTE) {
      if (opens(byte)) depth++;
      else if (depth > 0) depth--;
      if (depth < holderDepth) holderDepth = 0;
      at++;
      continue;
    }
    const keyStart = at + 1;
    const keyEnd = findStringEnd(bytes, keyStart);
    if (keyEnd === -1) return;
    at = skipBlanks(bytes, keyEnd + 1, bytes.length);
    if (bytes[at] !== COLON) continue;
    at = skipBlanks(bytes, at + 1, bytes.length);
    const first = bytes[at] ?? 0;
    if (first === QUOTE) {
      const start = at + 1;
      const end = findStringEnd(bytes, start);
      if (isSensitiveKey(bytes, keyStart, keyEnd, hasBackslash(bytes, keyStart, keyEnd))) {
        splice.replace(start, end === -1 ? bytes.length : end, REPLACEMENT);
      }
      if (end === -1) return;
      at = end + 1;
    } else if (opens(first)) {
      const role = roleOf(bytes, keyStart, keyEnd);
      if (role === "kept" || (role === "schema" && holderDepth > 0)) at = skipNested(bytes, at);
      else if (role === "schema_holder" && holderDepth === 0) holderDepth = depth + 1;
    }
  }
}

function roleOf(bytes: Buffer, start: number, end: number): ContainerRole | undefined {
  if (end - start < SHORTEST_ROLE) return undefined;
  if (isKeptKey(bytes, start, end, hasBackslash(bytes, start, end))) return "kept";
  const name = decodeString(bytes, start, end);
  return name === null ? undefined : CONTAINER_ROLES.get(name);
}

/** The offset after the object or array at `from`, without checking that its brackets match in kind. */
function skipNested(bytes: Buffer, from: number): number {
  let depth = 0;
  let at = from;
  for (;;) {
    at = findMark(bytes, at);
    const byte = bytes[at];
    if (byte === undefined) return at;
    if (byte === QUOTE) {
      const end = findStringEnd(bytes, at + 1);
      if (end === -1) return bytes.length;
      at = end;
    } else if (opens(byte)) depth++;
    else if (--depth === 0) return at + 1;
    at++;
  }
}

/** The next quote or bracket, or the end. */
function findMark(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && MARKS[bytes[at] ?? 0] === 0) at++;
  return at;
}

function marks(): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of new TextEncoder().encode('"[]{}')) table[byte] = 1;
  return table;
}

function opens(byte: number): boolean {
  return byte === 0x7b || byte === 0x5b;
}

function hasBackslash(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === BACKSLASH) return true;
  return false;
}
