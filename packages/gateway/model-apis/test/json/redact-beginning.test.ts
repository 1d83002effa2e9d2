import { expect, test } from "vitest";
import { redact } from "../../src/json/redact.ts";
import { redactBeginning } from "../../src/json/redact-beginning.ts";

const redacted = Buffer.from(redact(Buffer.from(manyCredentials(50))));

function manyCredentials(count: number, value = "a credential"): string {
  const items = Array.from({ length: count }, (_, at) => ({ text: `ü${at}`, token: value }));
  return JSON.stringify({ model: "policy", messages: items });
}

test.each([1, 10, 57, 200, 1_000, 100_000, 0])(
  "the first %i bytes are those of the whole text, and more follow if there are more",
  (length) => {
    const beginning = redactBeginning(Buffer.from(manyCredentials(50)), length);
    const shown = length === 0 ? redacted.length : Math.min(length, redacted.length);
    expect(beginning.subarray(0, shown)).toEqual(redacted.subarray(0, shown));
    expect(beginning.length > shown).toBe(shown < redacted.length);
  },
);

test("reading continues if the text shrinks to a small part of itself", () => {
  const text = manyCredentials(20, "x".repeat(10_000));
  const whole = Buffer.from(redact(Buffer.from(text)));
  const beginning = redactBeginning(Buffer.from(text), 500);
  expect(beginning.subarray(0, 500)).toEqual(whole.subarray(0, 500));
  expect(beginning.length).toBeGreaterThan(500);
});

test("the text after the beginning is not read", () => {
  const text = Buffer.from(manyCredentials(10_000));
  expect(redactBeginning(text, 100).length).toBeLessThan(1_000);
});
