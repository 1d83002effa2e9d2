import { expect, test } from "vitest";
import { endsInBlankLine } from "../../src/answer-reading/blank-line.ts";

const ends = ["\n\n", "a\n\n", "a\r\n\r\n", "a\r\r", "a\r\n\n", "a\n\r\n", "a\r\r\n"];
// Endings that the other half of a line end may still follow are not complete.
const others = ["", "\n", "\r", "\r\n", "a\n", "a\r\n", "a\n\r", "a\r\n\r", "\n\na", "\n\n "];

test.for(ends)("%j ends in a blank line, cut anywhere", (text) => {
  for (const chunks of cuts(text)) expect(endsInBlankLine(chunks)).toBe(true);
});

test.for(others)("%j does not end in a whole blank line, cut anywhere", (text) => {
  for (const chunks of cuts(text)) expect(endsInBlankLine(chunks)).toBe(false);
});

function cuts(text: string): Uint8Array[][] {
  const bytes = Buffer.from(text);
  const inTwo = Array.from({ length: bytes.length + 1 }, (_, at) => [
    bytes.subarray(0, at),
    bytes.subarray(at),
  ]);
  return [...inTwo, [...bytes].map((byte) => Uint8Array.of(byte)), [bytes], []].filter(
    (chunks) => chunks.length > 0 || text === "",
  );
}
