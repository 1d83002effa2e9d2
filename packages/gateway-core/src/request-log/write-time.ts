import { writeAscii } from "./write-string.ts";

const ZERO = 0x30;
const LETTER_Z = 0x5a;

/** The second formatted last, and its text up to the milliseconds. */
let lastSecond = Number.NaN;
let lastText = "";

/**
 * Writes a time like `Date.prototype.toISOString`, which would take longer than the rest of a line without
 * its bodies. Bytes beyond the end of `target` are dropped; returns where the text ends.
 * @param time milliseconds since the epoch
 * @throws RangeError if it is not a time
 */
export function writeTime(time: number, target: Uint8Array, at: number): number {
  const whole = Math.trunc(time);
  const second = Math.floor(whole / 1000);
  if (second !== lastSecond) {
    lastText = new Date(whole).toISOString().slice(0, -"000Z".length);
    lastSecond = second;
  }
  const milliseconds = whole - second * 1000;
  const end = writeAscii(lastText, target, at);
  target[end] = ZERO + Math.trunc(milliseconds / 100);
  target[end + 1] = ZERO + (Math.trunc(milliseconds / 10) % 10);
  target[end + 2] = ZERO + (milliseconds % 10);
  target[end + 3] = LETTER_Z;
  return end + 4;
}
