/** The longest session id, in characters. */
export const maxSessionId = 128;

const percent = 0x25;

/** 1 for the codes of the characters that a session id may have. */
const allowed: Uint8Array = new Uint8Array(128);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~:@+=,-") {
  allowed[character.charCodeAt(0)] = 1;
}

/** Whether a string is a session id: 1 to 128 of `[A-Za-z0-9._~:@+=,-]`, and neither `.` nor `..`. */
export function isSessionId(value: string): boolean {
  const { length } = value;
  if (length === 0 || length > maxSessionId) return false;
  for (let index = 0; index < length; index++) {
    if (allowed[value.charCodeAt(index)] !== 1) return false;
  }
  return value !== "." && value !== "..";
}

/**
 * The session id in a path segment, or null if it is not valid. A percent-escape can only stand for a
 * character that session ids may have, all of which are ASCII.
 */
export function parseSessionId(encodedSegment: string): string | null {
  const first = encodedSegment.indexOf("%");
  if (first === -1) return isSessionId(encodedSegment) ? encodedSegment : null;
  if (encodedSegment.length > maxSessionId * 3) return null;
  let decoded = encodedSegment.slice(0, first);
  for (let index = first; index < encodedSegment.length; index++) {
    let code = encodedSegment.charCodeAt(index);
    if (code === percent) {
      code = hexDigit(encodedSegment, index + 1) * 16 + hexDigit(encodedSegment, index + 2);
      index += 2;
    }
    if (allowed[code] !== 1) return null;
    decoded += String.fromCharCode(code);
  }
  return isSessionId(decoded) ? decoded : null;
}

/** NaN if the character is not a hexadecimal digit, which makes every sum with it NaN. */
function hexDigit(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : Number.NaN;
}
