import { isoTime } from "../recording/iso-time.ts";
import { writeAscii } from "./write-string.ts";

/**
 * Writes a time like `Date.prototype.toISOString`. Bytes beyond the end of `target` are dropped; returns where
 * the text ends.
 * @param time milliseconds since the epoch
 * @throws RangeError if it is not a time
 */
export function writeTime(time: number, target: Uint8Array, at: number): number {
  return writeAscii(isoTime(Math.trunc(time)), target, at);
}
