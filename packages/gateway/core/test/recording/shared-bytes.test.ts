import fc from "fast-check";
import { expect, test } from "vitest";
import { sharedBytes } from "../../src/recording/histories.ts";

test("measures the common beginning of two texts without cutting a character", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 30 });
  const property = fc.property(text, text, text, (start, one, other) => {
    const shared = sharedBytes(Buffer.from(start + one), Buffer.from(start + other));
    const [first, second] = [start + one, start + other];
    let characters = "";
    for (const [index, character] of [...first].entries()) {
      if ([...second][index] !== character) break;
      characters += character;
    }
    expect(shared).toBe(Buffer.byteLength(characters));
  });
  fc.assert(property, { numRuns: 500, seed: 2 });
});
