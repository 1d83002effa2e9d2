import { expect, test } from "vitest";
import { SettledTokens } from "../../src/prompts/wire/settled-tokens.ts";

/** How many tokens are settled after each chunk: texts of its tokens, and what the engine gives out. */
function settledAfter(chunks: readonly (readonly [texts: readonly string[], given: string])[]) {
  const settled = new SettledTokens(false);
  return chunks.map(([texts, given]) => {
    const pieces = given === "" ? [] : [{ kind: "text", text: given } as const];
    settled.add(
      texts.length,
      texts.map((token) => ({ token })),
      pieces,
    );
    return settled.tokens;
  });
}

test("a character of several tokens is settled with its last one", () => {
  const bytes = [[["\ufffd"], ""] as const, [["\ufffd"], ""] as const];
  expect(settledAfter([[["So "], "So "], ...bytes, [["\ufffd\ufffd"], "😀"]])).toEqual([
    1, 1, 1, 4,
  ]);
});

test("a character that ends in a token with more text is settled with it", () => {
  expect(
    settledAfter([
      [["\ufffd"], ""],
      [["\ufffd!"], "é!"],
    ]),
  ).toEqual([0, 2]);
});

test("a token is not settled whose last bytes are held back", () => {
  expect(settledAfter([[["a\ufffd"], "a"]])).toEqual([0]);
  expect(settledAfter([[["中\ufffd"], "中"]])).toEqual([0]);
});
