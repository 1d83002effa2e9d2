import { expect, test } from "vitest";
import { stripMembers } from "../../src/json/strip-members.ts";

const strip = (text: string): string => stripMembers(Buffer.from(text), ["a"]).toString();

test("members are removed from an object and its choices, and every other byte is kept", () => {
  expect(strip('{ "a":1, "b": {"a":2}, "choices":[ {"a":3, "c":1.50}, 4 ] }')).toBe(
    '{ "b": {"a":2},"choices":[ {"c":1.50}, 4 ] }',
  );
});

test("choices of choices are left alone, however deeply an upstream nests them", () => {
  const depth = 100_000;
  const nested = `${'{"choices":['.repeat(depth)}{"a":1}${"]}".repeat(depth)}`;
  expect(strip(`{"a":1,"choices":[${nested}]}`)).toBe(`{"choices":[${nested}]}`);
});

test("a text that is not one JSON object is returned as it is", () => {
  for (const text of ['["a"]', '{"a":1', '{"a":1}{"a":1}', '"a"']) expect(strip(text)).toBe(text);
});
