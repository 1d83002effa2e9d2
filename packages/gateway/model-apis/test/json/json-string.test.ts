import fc from "fast-check";
import { expect, test } from "vitest";
import { findFarStringEnd, findStringEnd } from "../../src/json/json-string.ts";

/** What the searches must find, one byte at a time. */
function endOf(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] === 0x22) return at;
    if (bytes[at] === 0x5c) at++;
  }
  return -1;
}

/** Bytes that differ from a quote or a backslash by one, or by their top bit. */
const lookalikes = ["!", "#", "[", "]", "\xa2", "\xdc"];

/** Pieces of strings: escapes in a row, backslashes that escape each other, and long stretches without either. */
const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('\\"', "\\\\", "\\n", "\\u0022", ...lookalikes) },
  // A word-wise comparison that borrows would take the brackets for backslashes, too.
  { weight: 2, arbitrary: fc.nat({ max: 3 }).map((length) => `\\\\${"]".repeat(length)}`) },
  { weight: 1, arbitrary: fc.nat({ max: 1_100 }).map((length) => "x".repeat(length)) },
  { weight: 1, arbitrary: fc.nat({ max: 300 }).map((length) => '\\"'.repeat(length)) },
  { weight: 1, arbitrary: fc.nat({ max: 40 }).map((length) => "\\\\".repeat(length)) },
);
const content = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));
const rest = fc.constantFrom("", '"', '",', '"}', '"\\"', '"\\\\"', '" '.repeat(20));

test("the end of a string is its first quote that no backslash escapes", () => {
  fc.assert(
    fc.property(content, rest, fc.nat({ max: 9 }), (text, after, before) => {
      const whole = Buffer.from(`${"]".repeat(before)}"${text}${after}`, "latin1");
      // At every alignment, and never beyond its own bytes.
      const bytes = Buffer.concat([whole, Buffer.from('"""')]).subarray(0, whole.length);
      const from = before + 1;
      const end = endOf(bytes, from);
      expect(findFarStringEnd(bytes, from)).toBe(end);
      expect(findStringEnd(bytes, from)).toBe(end);
    }),
    { seed: 1, numRuns: 3_000 },
  );
});
