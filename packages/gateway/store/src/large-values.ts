import { hash } from "node:crypto";

/** The columns of a row that may have large strings. */
export type Payload = "request" | "response" | "messages";
export const payloads: readonly Payload[] = ["request", "response", "messages"];
type Payloads = { readonly [Name in Payload]: Uint8Array | null };

/** Strings from this size on are stored once, in bytes. */
export const defaultLargeValueBytes: number = 32 * 1024;

/** A large string of a payload, and where it belongs in the rest of the payload. */
export interface LargeValue {
  readonly payload: Payload;
  readonly position: number;
  /** The value comes after the bytes from `rest_start` to `rest_end`. */
  readonly rest_start: number;
  readonly rest_end: number;
  readonly sha256: string;
  readonly content: Uint8Array;
}

export interface FoldedPayloads {
  /** The payloads without their large values. */
  readonly rest: Payloads;
  readonly values: readonly LargeValue[];
}

const quoteMark = 0x22;
const backslash = 0x5c;
/** Most strings are short: up to here a loop is faster than a native search. */
const shortBytes = 64;

/**
 * Takes the large values out of a row's payloads. Smaller payloads are not read.
 * @param minBytes size from which a value is large
 */
export function foldPayloads(
  { request, response, messages }: Payloads,
  minBytes: number,
): FoldedPayloads {
  const values: LargeValue[] = [];
  const fold = (payload: Payload, bytes: Uint8Array | null): Uint8Array | null =>
    bytes === null || bytes.length < minBytes ? bytes : cut(payload, bytes, minBytes, values);
  const rest = {
    request: fold("request", request),
    response: fold("response", response),
    messages: fold("messages", messages),
  };
  return { rest, values };
}

function cut(
  payload: Payload,
  bytes: Uint8Array,
  minBytes: number,
  values: LargeValue[],
): Uint8Array {
  const parts: Uint8Array[] = [];
  let rest = 0;
  let kept = 0;
  for (const { start, end } of largeRuns(bytes, minBytes)) {
    const content = bytes.subarray(start, end);
    parts.push(bytes.subarray(kept, start));
    const rest_start = rest;
    rest += start - kept;
    kept = end;
    const sha256 = hash("sha256", content, "hex");
    values.push({ payload, position: parts.length, rest_start, rest_end: rest, sha256, content });
  }
  return parts.length === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(kept)]);
}

interface Run {
  readonly start: number;
  readonly end: number;
  /** Whether it is a string, if the text begins outside of one. */
  readonly isString: boolean;
}

/**
 * Every run of at least `minBytes` between two quotes of a JSON text, without them. JSON has escaped quotes only inside
 * strings, so this needs no parser, and works on a text that begins in the middle of a string.
 */
export function* largeRuns(bytes: Uint8Array, minBytes: number): Generator<Run> {
  let isString = true;
  for (let quote = nextQuote(bytes, 0); quote < bytes.length; isString = !isString) {
    const start = quote + 1;
    const end = nextQuote(bytes, start);
    if (end < bytes.length && end - start >= minBytes) yield { start, end, isString };
    quote = end;
  }
}

/** What a row's values are shared in: its job, or its session if it has none. */
export const scopeOf = (row: {
  readonly job_id: string | null;
  readonly session_id: string;
}): string => row.job_id ?? row.session_id;

/** The next quote that is not escaped; the length if there is none. */
function nextQuote(bytes: Uint8Array, from: number): number {
  for (let at = from; ; at += 1) {
    const near = Math.min(at + shortBytes, bytes.length);
    while (at < near && bytes[at] !== quoteMark) at += 1;
    if (at === bytes.length) return at;
    if (at === near) {
      const found = bytes.indexOf(quoteMark, at);
      if (found < 0) return bytes.length;
      at = found;
    }
    let first = at;
    while (first > from && bytes[first - 1] === backslash) first -= 1;
    if ((at - first) % 2 === 0) return at;
  }
}
