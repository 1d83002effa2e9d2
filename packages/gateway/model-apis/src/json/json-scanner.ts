import { isBlank, isScalar, skipBlanks, skipScalars } from "./byte-classes.ts";
import { findFarStringEnd, findStringEnd, stringEquals } from "./json-string.ts";
import { JsonSyntaxError, unexpected } from "./json-syntax-error.ts";
import { isSensitiveKey } from "./sensitive-key.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** Strings and keys are followed byte by byte this far; where strings are long, only `NEAR_BYTES`. */
const FAR_BYTES = 32;
const NEAR_BYTES = 8;

/** What may come next within brackets. */
const ITEM = 0;
const ITEM_OR_END = 1;
const COMMA_OR_END = 2;

export type JsonKind = "object" | "array" | "string" | "number" | "literal" | "none";

/**
 * Walks one JSON text by its structure, in place. The caller tracks the nesting:
 *
 *     for (let more = scanner.enterObject(); more; more = scanner.nextMember()) …
 *
 * Each round must consume the member's value, by `skipValue` or by entering it. When a value is due, `at` is
 * its first byte. Numbers and literals are recognised only by their characters, strings only by their quotes;
 * the code that reads the values validates them. Every method throws JsonSyntaxError if the structure cannot be
 * followed.
 */
export class JsonScanner {
  readonly bytes: Buffer;
  at: number;
  /** The content of the last key, without its quotes. */
  keyStart = 0;
  keyEnd = 0;
  /** The last key may hold a backslash. */
  keyEscaped = false;
  /** A key with a string value was passed that may need redaction; escaped keys always count. */
  sensitive = false;
  #nearBytes = FAR_BYTES;
  #words: DataView | null = null;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.at = this.#skipWhitespace(0);
  }

  /** The kind of the value that is due, judged by its first byte. */
  get kind(): JsonKind {
    const byte = this.bytes[this.at] ?? 0;
    if (byte === QUOTE) return "string";
    if (byte === OPEN_OBJECT) return "object";
    if (byte === OPEN_ARRAY) return "array";
    if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) return "number";
    return isScalar(byte) ? "literal" : "none";
  }

  /** Enters the object that is due; false if it is empty, and then past it. */
  enterObject(): boolean {
    if (this.bytes[this.at] !== OPEN_OBJECT) throw unexpected(this.bytes, this.at, "an object");
    const at = this.#skipWhitespace(this.at + 1);
    if (this.bytes[at] === CLOSE_OBJECT) {
      this.at = at + 1;
      return false;
    }
    this.at = this.#readKey(at);
    return true;
  }

  /** After a member's value: moves to the next one; false if the object ended, and then past it. */
  nextMember(): boolean {
    if (!this.#nextItem(CLOSE_OBJECT)) return false;
    this.at = this.#readKey(this.at);
    return true;
  }

  /** Enters the array that is due; false if it is empty, and then past it. */
  enterArray(): boolean {
    if (this.bytes[this.at] !== OPEN_ARRAY) throw unexpected(this.bytes, this.at, "an array");
    this.at = this.#skipWhitespace(this.at + 1);
    if (this.bytes[this.at] !== CLOSE_ARRAY) return true;
    this.at++;
    return false;
  }

  /** After an element: moves to the next one; false if the array ended, and then past it. */
  nextElement(): boolean {
    return this.#nextItem(CLOSE_ARRAY);
  }

  /** Whether the last key is `name` (ASCII), with escapes decoded. */
  keyEquals(name: string): boolean {
    return stringEquals(this.bytes, this.keyStart, this.keyEnd, this.keyEscaped, name);
  }

  /** Checks that nothing but whitespace follows the outermost value. */
  finish(): void {
    const at = this.#skipWhitespace(this.at);
    if (at < this.bytes.length) throw unexpected(this.bytes, at, "the end of the text");
  }

  /** Moves past the value that is due, to the byte after its last one. */
  skipValue(): void {
    const bytes = this.bytes;
    let at = this.at;
    let due = ITEM;
    let depth = 0;
    // One bit for each open bracket, 1 for an object; full words of 32 bits wait in `outer`.
    let open = 0;
    let outer: number[] | null = null;
    for (;;) {
      let byte = bytes[at] ?? 0;
      if (byte <= 0x20) {
        const near = at + FAR_BYTES;
        while (isBlank(byte) && at < near) byte = bytes[++at] ?? 0;
        if (at === near) {
          at = this.#skipLongBlanks(at);
          byte = bytes[at] ?? 0;
        }
      }
      const inObject = (open & 1) === 1;
      if (due === COMMA_OR_END && byte === COMMA) {
        at++;
        due = ITEM;
      } else if ((byte | 0x20) === CLOSE_OBJECT && due !== ITEM) {
        if ((byte === CLOSE_OBJECT) !== inObject) throw unexpectedNext(bytes, at, inObject);
        at++;
        open >>>= 1;
        depth--;
        if (depth === 0) break;
        if ((depth & 31) === 0) open = outer?.pop() ?? 0;
        due = COMMA_OR_END;
      } else if (due === COMMA_OR_END) {
        throw unexpectedNext(bytes, at, inObject);
      } else {
        if (inObject) {
          at = this.#readKey(at);
          byte = bytes[at] ?? 0;
        }
        if (byte === QUOTE) {
          at = bytes[at + 1] === QUOTE ? at + 2 : this.#skipString(at);
        } else if ((byte | 0x20) === OPEN_OBJECT) {
          if ((depth & 31) === 0 && depth > 0) {
            outer ??= [];
            outer.push(open);
          }
          open = (open << 1) | (byte === OPEN_OBJECT ? 1 : 0);
          depth++;
          at++;
          due = ITEM_OR_END;
          continue;
        } else {
          if (!isScalar(byte)) throw unexpected(bytes, at, "a value");
          at = skipScalars(bytes, at, depth > 0 && !inObject);
        }
        if (depth === 0) break;
        due = COMMA_OR_END;
      }
    }
    this.at = at;
  }

  #skipWhitespace(from: number): number {
    if ((this.bytes[from] ?? 0) > 0x20) return from;
    const near = from + FAR_BYTES;
    const at = skipBlanks(this.bytes, from, near);
    return at === near ? this.#skipLongBlanks(at) : at;
  }

  /** Continues after at least four bytes of whitespace. */
  #skipLongBlanks(from: number): number {
    const bytes = this.bytes;
    this.#words ??= new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const words = this.#words;
    let at = from;
    for (;;) {
      // Long whitespace repeats itself: a word equal to the four bytes before it is more of the same.
      const word = words.getInt32(at - 4);
      while (at + 4 <= bytes.length && words.getInt32(at) === word) at += 4;
      const near = at + FAR_BYTES;
      at = skipBlanks(bytes, at, near);
      if (at < near) return at;
    }
  }

  /** Neighbouring strings are alike: the last one's length decides whether to go byte by byte. */
  #skipString(from: number): number {
    const bytes = this.bytes;
    let at = from + 1;
    const near = at + this.#nearBytes;
    let byte = bytes[at];
    while (byte !== QUOTE && at < near) {
      at += byte === BACKSLASH ? 2 : 1;
      byte = bytes[at];
    }
    if (byte !== QUOTE) {
      at = findFarStringEnd(bytes, at);
      if (at === -1) throw new JsonSyntaxError("unterminated string", from);
      this.#nearBytes = at - from < FAR_BYTES ? FAR_BYTES : NEAR_BYTES;
    } else if (at - from < FAR_BYTES) this.#nearBytes = FAR_BYTES;
    return at + 1;
  }

  #nextItem(close: number): boolean {
    const at = this.#skipWhitespace(this.at);
    const byte = this.bytes[at];
    if (byte === COMMA) {
      this.at = this.#skipWhitespace(at + 1);
      return true;
    }
    if (byte !== close) throw unexpectedNext(this.bytes, at, close === CLOSE_OBJECT);
    this.at = at + 1;
    return false;
  }

  /** Consumes the key at `from` and its colon. Returns where the value begins. */
  #readKey(from: number): number {
    const bytes = this.bytes;
    if (bytes[from] !== QUOTE) throw unexpected(bytes, from, "a key in quotes");
    const near = from + FAR_BYTES;
    let end = from + 1;
    let byte = bytes[end];
    while (byte !== QUOTE && byte !== BACKSLASH && end < near) byte = bytes[++end];
    // A key that is too long counts as escaped.
    const escaped = byte !== QUOTE;
    if (escaped) {
      end = findStringEnd(bytes, end);
      if (end === -1) throw new JsonSyntaxError("unterminated string", from);
    }
    this.keyStart = from + 1;
    this.keyEnd = end;
    this.keyEscaped = escaped;
    let at = this.#skipWhitespace(end + 1);
    if (bytes[at] !== COLON) throw unexpected(bytes, at, "':'");
    at = this.#skipWhitespace(at + 1);
    if (!this.sensitive && bytes[at] === QUOTE) {
      this.sensitive = escaped || isSensitiveKey(bytes, from + 1, end, false);
    }
    return at;
  }
}

function unexpectedNext(bytes: Buffer, at: number, inObject: boolean): JsonSyntaxError {
  return unexpected(bytes, at, inObject ? "',' or '}'" : "',' or ']'");
}
