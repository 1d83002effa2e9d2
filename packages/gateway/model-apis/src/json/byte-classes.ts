const COMMA = 0x2c;
const BLANK = 1;
const SCALAR = 2;
/** At most this much whitespace on either side of a comma, and numbers are still skipped in one go. */
const NEAR_BYTES = 8;

// A lookup table: one branch per byte is predicted well, four are not.
const CLASSES: Uint8Array = classes();

/** JSON's whitespace. */
export function isBlank(byte: number): boolean {
  return CLASSES[byte] === BLANK;
}

/** The characters of numbers and literals: letters, digits, `+`, `-` and `.`. */
export function isScalar(byte: number): boolean {
  return CLASSES[byte] === SCALAR;
}

/** The first byte at or after `from` that is not whitespace, at most `limit`. */
export function skipBlanks(bytes: Buffer, from: number, limit: number): number {
  let at = from;
  let byte = bytes[at] ?? 0;
  while (isBlank(byte) && at < limit) byte = bytes[++at] ?? 0;
  return at;
}

/**
 * The offset after the number or literal at `from`. In an array, also skips the ones that follow it with a
 * comma and little whitespace in between: token ids come by the thousand.
 */
export function skipScalars(bytes: Buffer, from: number, inArray: boolean): number {
  let at = from;
  for (;;) {
    let byte = bytes[at] ?? 0;
    while (byte >= 0x30 && byte <= 0x39) byte = bytes[++at] ?? 0;
    if (isScalar(byte)) {
      at++;
      continue;
    }
    if (!inArray) return at;
    let next = at + 1;
    if (byte !== COMMA || !isScalar(bytes[next] ?? 0)) {
      const comma = skipBlanks(bytes, at, at + NEAR_BYTES);
      if (bytes[comma] !== COMMA) return at;
      next = skipBlanks(bytes, comma + 1, comma + NEAR_BYTES);
      if (!isScalar(bytes[next] ?? 0)) return at;
    }
    at = next + 1;
  }
}

function classes(): Uint8Array {
  const table = new Uint8Array(256);
  const letters = "abcdefghijklmnopqrstuvwxyz";
  const scalars = `${letters}${letters.toUpperCase()}0123456789+-.`;
  for (const byte of new TextEncoder().encode(" \t\r\n")) table[byte] = BLANK;
  for (const byte of new TextEncoder().encode(scalars)) table[byte] = SCALAR;
  return table;
}
