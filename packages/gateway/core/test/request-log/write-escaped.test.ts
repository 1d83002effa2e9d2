import { expect, test } from "vitest";
import { writeEscaped } from "../../src/request-log/write-json.ts";

const target = Buffer.alloc(200_000);

function written(text: string): string {
  const end = writeEscaped(Buffer.from(text), target, 3);
  return target.toString("utf8", 3, end);
}

const inside = (text: string): string => JSON.stringify(text).slice(1, -1);

test("every character is escaped as JSON.stringify does it, in each place of a word", () => {
  for (let code = 0; code <= 0x2_00; code += 1)
    for (const place of [0, 1, 2, 3, 4, 7]) {
      const text = `${"a".repeat(place)}${String.fromCharCode(code)}${"~".repeat(7 - place)}`;
      expect(written(text), `${code} at ${place}`).toBe(inside(text));
    }
});

test("neighbours of what is escaped are not taken for it", () => {
  // A borrow from the byte below must change nothing about these.
  for (const low of ["\u0000", "\u001f", " ", '"', "#", "\\", "]", "\u007f"])
    for (const high of [
      "\u0000",
      " ",
      "!",
      '"',
      "#",
      "[",
      "\\",
      "]",
      "\u007f",
      "é",
      "\u{10ffff}",
    ]) {
      const text = `${low}${high}`.repeat(5);
      expect(written(text)).toBe(inside(text));
    }
});

test("texts of all lengths around a piece are escaped whole", () => {
  for (const length of [0, 1, 3, 4, 5, 16_383, 16_384, 16_385, 32_769]) {
    const text = `${"x".repeat(length)}\n"`;
    expect(written(text)).toBe(inside(text));
    expect(written(`"\n${text}`)).toBe(inside(`"\n${text}`));
  }
});
