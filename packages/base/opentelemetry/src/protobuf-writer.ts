/** Wire types of protobuf's encoding, the low three bits of each field's tag. */
const varintType = 0;
const fixed64Type = 1;
const bytesType = 2;
const fixed32Type = 5;

const twoTo12 = 2 ** 12;
const twoTo20 = 2 ** 20;

/**
 * Writes fields in protobuf's encoding, into a buffer that grows. Each byte is written once: OpenTelemetry's own
 * serializer first goes through everything to learn its size.
 */
export class ProtobufWriter {
  #bytes: Buffer;
  #at: number;

  /** @param start bytes to leave free in front */
  constructor(size: number, start = 0) {
    this.#bytes = Buffer.allocUnsafeSlow(size);
    this.#at = start;
  }

  /** Where the next field begins. */
  get position(): number {
    return this.#at;
  }

  /** What has been written since that position: a view, not a copy. */
  since(start: number): Buffer {
    return this.#bytes.subarray(start, this.#at);
  }

  /** What is written next goes there. */
  rewind(position: number): void {
    this.#at = position;
  }

  /** Writes over what is in front of that position. @returns where it begins */
  putBefore(position: number, bytes: Buffer): number {
    const start = position - bytes.length;
    bytes.copy(this.#bytes, start);
    return start;
  }

  /** Tag and length of a message whose fields follow. */
  head(field: number, size: number): void {
    this.#tag(field, bytesType);
    this.#varint(size);
  }

  /** Fields that are encoded already. */
  encoded(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /** Bytes from their hexadecimal digits, in lower case. */
  hex(field: number, digits: string): void {
    const size = digits.length >>> 1;
    this.head(field, size);
    this.#reserve(size);
    for (let at = 0; at < digits.length; at += 2)
      this.#bytes[this.#at++] =
        (nibble(digits.charCodeAt(at)) << 4) | nibble(digits.charCodeAt(at + 1));
  }

  string(field: number, text: string): void {
    this.#tag(field, bytesType);
    if (text.length < 128 && this.#ascii(text)) return;
    const size = Buffer.byteLength(text);
    this.#varint(size);
    this.#reserve(size);
    this.#bytes.write(text, this.#at);
    this.#at += size;
  }

  /**
   * A message with an encoded field and, as field 2, a message with one text. Short ones, whose lengths take a byte
   * each, are written at once.
   * @returns false: the text is too long or not ASCII; nothing is written
   */
  shortText(field: number, first: Uint8Array, inner: number, text: string): boolean {
    const size = first.length + text.length + 4;
    if (size > 127) return false;
    const bytes = this.#roomFor(size + 2);
    let at = putPair(bytes, this.#at, field, size, first);
    bytes[at++] = text.length + 2;
    bytes[at++] = (inner << 3) | bytesType;
    return this.#wrote(putAscii(bytes, at, text));
  }

  /** Likewise with a number. @returns false: it has more than 14 bits; nothing is written */
  shortInteger(field: number, first: Uint8Array, inner: number, value: number): boolean {
    if (!(value >= 0 && value < 1 << 14) || first.length > 100) return false;
    const length = value < 128 ? 2 : 3;
    const bytes = this.#roomFor(first.length + length + 4);
    let at = putPair(bytes, this.#at, field, first.length + length + 2, first);
    bytes[at++] = length;
    bytes[at++] = (inner << 3) | varintType;
    if (value > 127) bytes[at++] = (value & 127) | 128;
    bytes[at++] = value > 127 ? value >> 7 : value;
    this.#at = at;
    return true;
  }

  /** An `int64`, also for enumerations and booleans. @param value a whole number */
  integer(field: number, value: number): void {
    this.#tag(field, varintType);
    if (value >= 0) this.#varint(value);
    else this.#negative(value);
  }

  double(field: number, value: number): void {
    this.#tag(field, fixed64Type);
    this.#reserve(8);
    this.#at = this.#bytes.writeDoubleLE(value, this.#at);
  }

  fixed32(field: number, value: number): void {
    this.#tag(field, fixed32Type);
    this.#reserve(4);
    this.#at = this.#bytes.writeUInt32LE(value, this.#at);
  }

  /** Nanoseconds in a `fixed64`. @param milliseconds not negative */
  nanoseconds(field: number, milliseconds: number): void {
    this.#tag(field, fixed64Type);
    this.#reserve(8);
    const whole = Math.floor(milliseconds);
    const fraction = Math.round((milliseconds - whole) * 1e6);
    // Nanoseconds since the epoch have 61 bits, a number 53: the product is made in parts of 20, 12 and 32 bits.
    // Divisions by powers of two, as `%` takes ten times as long for numbers of this size.
    const wholeHigh = Math.floor(whole / twoTo20);
    const low = (whole - wholeHigh * twoTo20) * 1e6 + fraction;
    const lowHigh = Math.floor(low / twoTo20);
    const high = wholeHigh * 1e6 + lowHigh;
    const top = Math.floor(high / twoTo12);
    const bottom = (high - top * twoTo12) * twoTo20 + (low - lowHigh * twoTo20);
    this.#at = this.#bytes.writeUInt32LE(bottom, this.#at);
    this.#at = this.#bytes.writeUInt32LE(top, this.#at);
  }

  /**
   * Begins a message within this one.
   * @param room bytes to leave for its length
   * @returns what `close` needs to know
   */
  open(field: number, room = 1): number {
    this.#tag(field, bytesType);
    this.#reserve(room);
    this.#at += room;
    return this.#at;
  }

  /** Writes the length in front of the message, and moves the message if another room was left for that. */
  close(start: number, room = 1): void {
    const size = this.#at - start;
    const extra = varintSize(size) - room;
    if (extra !== 0) {
      this.#reserve(Math.max(extra, 0));
      this.#bytes.copyWithin(start + extra, start, this.#at);
    }
    this.#at = start - room;
    this.#varint(size);
    this.#at += size;
  }

  #tag(field: number, type: number): void {
    this.#varint((field << 3) | type);
  }

  #varint(value: number): void {
    this.#reserve(10);
    let rest = value;
    // Dividing, as shifts would cut off what is beyond 32 bits.
    for (; rest > 127; rest = Math.floor(rest / 128)) this.#bytes[this.#at++] = (rest % 128) | 128;
    this.#bytes[this.#at++] = rest;
  }

  #negative(value: number): void {
    this.#reserve(10);
    let rest = BigInt.asUintN(64, BigInt(value));
    for (; rest > 127n; rest >>= 7n) this.#bytes[this.#at++] = Number(rest & 127n) | 128;
    this.#bytes[this.#at++] = Number(rest);
  }

  /** Writes length and text if all of it is ASCII. For short texts that is faster than a call to native code. */
  #ascii(text: string): boolean {
    return this.#wrote(putAscii(this.#roomFor(text.length + 1), this.#at, text));
  }

  #wrote(end: number | null): boolean {
    if (end !== null) this.#at = end;
    return end !== null;
  }

  #roomFor(size: number): Buffer {
    this.#reserve(size);
    return this.#bytes;
  }

  #reserve(size: number): void {
    const needed = this.#at + size;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(grown, 0, 0, this.#at);
    this.#bytes = grown;
  }
}

/** Tag and length of a message, its first field, and the tag of its second. @returns where the second goes on */
function putPair(
  bytes: Buffer,
  start: number,
  field: number,
  size: number,
  first: Uint8Array,
): number {
  let at = start;
  bytes[at++] = (field << 3) | bytesType;
  bytes[at++] = size;
  for (let index = 0; index < first.length; index += 1) bytes[at++] = first[index] ?? 0;
  bytes[at++] = (2 << 3) | bytesType;
  return at;
}

/** Length, in one byte, and text. @returns where it ends; null: it is not ASCII */
function putAscii(bytes: Buffer, start: number, text: string): number | null {
  let at = start;
  bytes[at++] = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > 127) return null;
    bytes[at++] = code;
  }
  return at;
}

/** Of a digit's character code. */
const nibble = (code: number): number => (code < 58 ? code - 48 : code - 87);

function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) size += 1;
  return size;
}
