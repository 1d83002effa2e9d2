/**
 * These functions write into `target` from `at` on and return where the text ends. A value beyond the end of
 * `target` means that it did not fit, and the rest was dropped. They go character by character because a call
 * of `Buffer.write` takes longer than a short string.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** @param text ASCII only */
export function writeAscii(text: string, target: Uint8Array, at: number): number {
  const length = text.length;
  for (let index = 0; index < length; index++) target[at + index] = text.charCodeAt(index);
  return at + length;
}

/** A JSON string with its quotes. */
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
