import { randomFillSync } from "node:crypto";

/** Random bytes are drawn for many ids at once: a draw takes a microsecond, however few there are. */
const drawn = Buffer.allocUnsafeSlow(4_096);
let used = drawn.length;

/** 32 random hexadecimal digits. */
export const newTraceId = (): string => randomHex(16);
/** 16 random hexadecimal digits. */
export const newSpanId = (): string => randomHex(8);

/** W3C Trace Context does not allow an id of zeros only; as many random bits never come. */
function randomHex(bytes: number): string {
  if (used + bytes > drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  used += bytes;
  return drawn.toString("hex", used - bytes, used);
}
