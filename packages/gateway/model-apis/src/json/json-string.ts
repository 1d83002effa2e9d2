import { JsonSyntaxError } from "./json-syntax-error.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SHORT_ESCAPES = '"\\/bfnrt';
/** How far strings are followed byte by byte: a call of the native search costs about as much. */
const NEAR_BYTES = 32;
/** How far they are followed word by word after an escaped quote. */
const CLUSTER_BYTES = 1024;

const WORD_BYTES = 4;
const ONES = 0x01010101;
const LOW_BITS = 0x7f * ONES;
const TOP_BITS = 0x80 * ONES;
const QUOTES = QUOTE * ONES;
const BACKSLASHES = BACKSLASH * ONES;

/**
 * Offset of the quote that ends a string, or -1 if there is none.
 * @param from a byte within the string that no backslash escapes
 */
export function findStringEnd(bytes: Buffer, from: number): number {
  const near = from + NEAR_BYTES;
  let at = from;
  while (at < near) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    at += byte === BACKSLASH ? 2 : 1;
  }
  return findFarStringEnd(bytes, at);
}

/** findStringEnd for strings that are expected to be long: uses the native search from the start. */
export function findFarStringEnd(bytes: Buffer, from: number): number {
  for (let at = from; ; ) {
    const quote = bytes.indexOf(QUOTE, at);
    if (quote === -1 || !isEscaped(bytes, quote, from)) return quote;
    at = quote + 1;
    // Escaped quotes come in clusters, and a native search for each of them costs more than it saves.
    const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const limit = Math.min(at + CLUSTER_BYTES, bytes.length - WORD_BYTES);
    while (at < limit) {
      at = skipEscapedQuotes(words, at, limit);
      const end = findEndInWord(bytes, at, from);
      if (end !== -1) return end;
      at += WORD_BYTES;
    }
  }
}

/** Whether a backslash escapes the quote. Looks back no further than `from`, which none escapes. */
function isEscaped(bytes: Buffer, quote: number, from: number): boolean {
  let at = quote;
  while (at > from && bytes[at - 1] === BACKSLASH) at--;
  return ((quote - at) & 1) === 1;
}

/**
 * Moves word by word to one with a quote that may be unescaped: it does not follow a backslash, or it follows two.
 * Returns where that word begins; at least `limit` if there is none.
 * @param from at least 2
 */
function skipEscapedQuotes(words: DataView, from: number, limit: number): number {
  let at = from;
  for (; at < limit; at += WORD_BYTES) {
    const quotes = zeroBytes(words.getInt32(at, true) ^ QUOTES) & TOP_BITS;
    if (quotes === 0) continue;
    // Exact, unlike the other two: a byte wrongly taken for a backslash would hide the end.
    const notAfterOne = nonZeroBytes(words.getInt32(at - 1, true) ^ BACKSLASHES);
    const afterTwo = zeroBytes(words.getInt32(at - 2, true) ^ BACKSLASHES);
    if ((quotes & (notAfterOne | afterTwo)) !== 0) break;
  }
  return at;
}

/**
 * The top bit of each byte that is 0; the other bits mean nothing. A borrow may also mark a 1 above a marked byte, so
 * that only the lowest mark is certain.
 */
const zeroBytes = (word: number): number => (word - ONES) & ~word;

/** The top bit of each byte that is not 0, exactly. */
const nonZeroBytes = (word: number): number => ((word & LOW_BITS) + LOW_BITS) | word;

/** The first unescaped quote within the word at `at`; -1 if it has none. */
function findEndInWord(bytes: Buffer, at: number, from: number): number {
  const end = at + WORD_BYTES;
  for (let quote = at; quote < end; quote++)
    if (bytes[quote] === QUOTE && !isEscaped(bytes, quote, from)) return quote;
  return -1;
}

/**
 * The decoded content of a string between its quotes; null if it has an escape or character that JSON does
 * not allow.
 */
export function decodeString(bytes: Buffer, start: number, end: number): string | null {
  const raw = bytes.toString("utf8", start, end);
  if (!raw.includes("\\")) return raw;
  try {
    const decoded: unknown = JSON.parse(`"${raw}"`);
    return typeof decoded === "string" ? decoded : null;
  } catch {
    return null;
  }
}

/** Whether a string's content is `name`, which is ASCII. `escaped`: it may contain a backslash. */
export function stringEquals(
  bytes: Buffer,
  start: number,
  end: number,
  escaped: boolean,
  name: string,
): boolean {
  if (escaped) return decodeString(bytes, start, end) === name;
  if (end - start !== name.length) return false;
  for (let index = 0; index < name.length; index++) {
    if (bytes[start + index] !== name.charCodeAt(index)) return false;
  }
  return true;
}

/**
 * Whether some parser could take a string's content for `name`: escapes are decoded, and case is ignored as
 * Go (simple folding) and Java (`equalsIgnoreCase`) do.
 * @param name lower-case letters, no `k` (the Kelvin sign is not folded)
 * @throws JsonSyntaxError at an escape that JSON does not allow, if everything before it was equal
 */
export function stringEqualsFolded(
  bytes: Buffer,
  start: number,
  end: number,
  name: string,
): boolean {
  let at = start;
  for (let index = 0; index < name.length; index++) {
    if (at >= end) return false;
    const byte = bytes[at] ?? 0;
    if (byte < 0x80 && byte !== BACKSLASH) {
      if ((byte | 0x20) !== name.charCodeAt(index)) return false;
      at++;
      continue;
    }
    const unit = foldedUnit(bytes, at);
    if (unit === UNKNOWN_ESCAPE) throw new JsonSyntaxError("unknown escape", at);
    if (unit !== name.charCodeAt(index)) return false;
    at += unitWidth(bytes, at);
  }
  return at === end;
}

/** Returned by `foldedUnit` for an escape that JSON does not allow. */
export const UNKNOWN_ESCAPE = -1;

/**
 * The character at `at` within a string, with its escape decoded, as a lower-case code unit. A character that
 * cannot fold to an ASCII letter may come as any code unit that is not a letter.
 */
export function foldedUnit(bytes: Buffer, at: number): number {
  const byte = bytes[at] ?? 0;
  if (byte === BACKSLASH) return fold(escapedUnit(bytes, at));
  if (byte < 0x80) return byte | 0x20;
  // Two bytes of UTF-8 reach up to U+07FF; nothing above it folds to a letter.
  return (byte & 0xe0) === 0xc0 ? fold(((byte & 0x1f) << 6) | ((bytes[at + 1] ?? 0) & 0x3f)) : byte;
}

/**
 * The number of bytes in the string that the unit at `at` takes; continuation bytes of longer UTF-8 count as
 * units.
 */
export function unitWidth(bytes: Buffer, at: number): number {
  const byte = bytes[at] ?? 0;
  if (byte === BACKSLASH) return bytes[at + 1] === 0x75 ? 6 : 2;
  return (byte & 0xe0) === 0xc0 ? 2 : 1;
}

function fold(unit: number): number {
  if (unit < 0x80) return unit | 0x20;
  if (unit === 0x17f) return 0x73; // long s
  if (unit === 0x130 || unit === 0x131) return 0x69; // i with and without its dot
  return unit;
}

/** Returns the quote for every short escape, as none of them is a letter. */
function escapedUnit(bytes: Buffer, at: number): number {
  const kind = bytes[at + 1] ?? 0;
  if (kind !== 0x75) {
    return SHORT_ESCAPES.includes(String.fromCharCode(kind)) ? QUOTE : UNKNOWN_ESCAPE;
  }
  let unit = 0;
  for (let index = at + 2; index < at + 6; index++) {
    const digit = hexDigit(bytes[index] ?? 0);
    if (digit === -1) return UNKNOWN_ESCAPE;
    unit = unit * 16 + digit;
  }
  return unit;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
