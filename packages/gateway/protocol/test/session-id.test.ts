import fc from "fast-check";
import { expect, test } from "vitest";
import { isSessionId, parseSessionId } from "../src/index.ts";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~:@+=,-";
const sessionIds = fc.string({
  unit: fc.constantFrom(...alphabet),
  minLength: 1,
  maxLength: 128,
});

/** The rule in other words, with the platform's decoder. */
function reference(segment: string): string | null {
  let decoded: string;
  try {
    decoded = decodeURIComponent(segment);
  } catch {
    return null;
  }
  const valid = /^[A-Za-z0-9._~:@+=,-]{1,128}$/.test(decoded) && !/^\.\.?$/.test(decoded);
  return valid ? decoded : null;
}

test.each([
  ["a", "a"],
  ["job-1.sim_2~3:4@5+6=7,8", "job-1.sim_2~3:4@5+6=7,8"],
  ["a%2Db", "a-b"],
  ["%61%62", "ab"],
  ["a%3ab", "a:b"],
  ["...", "..."],
  [".a", ".a"],
  ["x".repeat(128), "x".repeat(128)],
  ["%78".repeat(128), "x".repeat(128)],
])("reads %j as the session id %j", (segment, session_id) => {
  expect(parseSessionId(segment)).toBe(session_id);
});

test.each([
  [""],
  ["."],
  [".."],
  ["%2e"],
  ["%2E%2e"],
  [".%2e"],
  ["a b"],
  ["a/b"],
  ["a%2Fb"],
  ["a%20b"],
  ["a%00"],
  ["a\u0000"],
  ["a%"],
  ["a%2"],
  ["a%2G"],
  ["%%61"],
  ["%256"],
  ["é"],
  ["%C3%A9"],
  ["a%80"],
  ["a\n"],
  ["a;b"],
  ["x".repeat(129)],
  ["%78".repeat(129)],
  [`${"x".repeat(128)}%78`],
])("refuses %j", (segment) => {
  expect(parseSessionId(segment)).toBeNull();
});

test("every session id survives full or partial escaping", () => {
  const escaped = (text: string, which: readonly boolean[]): string =>
    [...text]
      .map((character, index) =>
        which[index] ? `%${character.charCodeAt(0).toString(16).padStart(2, "0")}` : character,
      )
      .join("");
  fc.assert(
    fc.property(sessionIds, fc.array(fc.boolean(), { maxLength: 128 }), (session_id, which) => {
      fc.pre(session_id !== "." && session_id !== "..");
      expect(isSessionId(session_id)).toBe(true);
      expect(parseSessionId(escaped(session_id, which))).toBe(session_id);
      expect(parseSessionId(encodeURIComponent(session_id))).toBe(session_id);
    }),
    { seed: 1 },
  );
});

test("agrees with the rule on any text", () => {
  const pieces = fc.oneof(
    fc.constantFrom("%", "%2e", "%2E", "%41", "%c3%a9", "%zz", ".", "..", "/", "a", "Z"),
    fc.string({ maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 6 }), (parts) => {
      const segment = parts.join("");
      expect(parseSessionId(segment)).toBe(reference(segment));
    }),
    { seed: 1, numRuns: 500 },
  );
});
