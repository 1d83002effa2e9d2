const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const hexDigits = Buffer.from("0123456789abcdef");

/** RFC 8259 section 7: for each byte 0, or the letter after the backslash; `u` takes four digits. */
const escapeLetters = new Uint8Array(256).fill(LETTER_U, 0, 0x20);
escapeLetters.set(Buffer.from("btnufr"), 0x08);
escapeLetters[QUOTE] = QUOTE;
escapeLetters[BACKSLASH] = BACKSLASH;

/**
 * A body passes through these arrays piece by piece: loops over arrays that are always the same take about
 * two thirds of the time of loops over the callers' arrays. A piece is as long as the default limit for
 * recorded bodies.
 */
const pieceBytes = 16_384;
const plain = new Uint8Array(pieceBytes);
const escaped = Buffer.allocUnsafeSlow(6 * pieceBytes);

/**
 * Writes the inside of a JSON string, exactly as `JSON.stringify` would, without decoding the text. By itself
 * `JSON.stringify` is three times as fast, but its strings are garbage: with bodies of 200 KB, collecting it cost
 * a twentieth of the gateway's CPU. Returns where it ends; a value beyond the end of `target` means that it did not fit, and the rest was dropped.
 * @param source UTF-8
 */
export function writeEscaped(source: Uint8Array, target: Uint8Array, at: number): number {
  let end = at;
  for (let from = 0; from < source.length; from += pieceBytes) {
    const isWhole = source.length <= pieceBytes;
    const piece = isWhole ? source : source.subarray(from, from + pieceBytes);
    plain.set(piece);
    const length = escapePlain(piece.length);
    escaped.copy(target, end, 0, length);
    end += length;
  }
  return end;
}

/**
 * Escapes this many bytes of `plain` into `escaped`; returns the number of bytes written. The casts are true
 * of every index here: a check for undefined would double the time.
 */
function escapePlain(length: number): number {
  let end = 0;
  for (let index = 0; index < length; index++) {
    const byte = plain[index] as number;
    const letter = escapeLetters[byte] as number;
    escaped[end++] = byte;
    if (letter === 0) continue;
    escaped[end - 1] = BACKSLASH;
    escaped[end++] = letter;
    if (letter !== LETTER_U) continue;
    escaped[end++] = hexDigits[0] as number;
    escaped[end++] = hexDigits[0] as number;
    escaped[end++] = hexDigits[byte >> 4] as number;
    escaped[end++] = hexDigits[byte & 0xf] as number;
  }
  return end;
}
