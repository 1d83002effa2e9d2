/**
 * What these write into `target` begins at `at`; they return where it ends. That is beyond
 * the end of `target` where it has no room, and then the bytes without room are dropped.
 * Character by character, as a call of `Buffer.write` takes longer than a short string.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** @param text ASCII only */
export function writeAscii(text: string, target: Uint8Array, at: number): number {
  const length = text.length;
  for (let index = 0; index < length; index++) target[at + index] = text.charCodeAt(index);
  return at + length;
}

/** A JSON string, its quotes included. */
export function writeString(text: string, target: Uint8Array, at: number): number {
  const length = text.length;
  target[at] = QUOTE;
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code > 0x7e || code === QUOTE || code === BACKSLASH)
      return writeBytes(Buffer.from(JSON.stringify(text)), target, at);
    target[at + 1 + index] = code;
  }
  target[at + 1 + length] = QUOTE;
  return at + length + 2;
}

function writeBytes(bytes: Buffer, target: Uint8Array, at: number): number {
  if (at < target.length) bytes.copy(target, at);
  return at + bytes.length;
}
