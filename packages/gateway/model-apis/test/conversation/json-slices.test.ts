import fc from "fast-check";
import { expect, test } from "vitest";
import { elementsOf, memberOf } from "../../src/conversation/json-slices.ts";

/** The same value as different texts: on one line, indented, and with other blanks. */
const written = (value: unknown): string[] => [
  JSON.stringify(value),
  JSON.stringify(value, null, 2),
  ` \r\n${JSON.stringify(value, null, "\t")}\n`,
];

test("the elements of any array are found as written", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { maxLength: 8 }), (array) => {
      const expected = array.map((value) => JSON.stringify(value));
      for (const text of written(array)) {
        const elements = elementsOf(text);
        const again = elements.map((element) => JSON.stringify(JSON.parse(element)));
        expect(again).toEqual(expected);
        expect(elements.every((element) => text.includes(element))).toBe(true);
      }
    }),
  );
});

test("every member of any object is found by its name", () => {
  const names = fc.string({ unit: "binary" }).filter((name) => name !== "__proto__");
  fc.assert(
    fc.property(fc.dictionary(names, fc.jsonValue(), { maxKeys: 8 }), (object) => {
      for (const text of written(object)) {
        const found = Object.keys(object).map((name) => memberOf(text, name) ?? "");
        const again = found.map((value) => JSON.stringify(JSON.parse(value)));
        expect(again).toEqual(Object.values(object).map((value) => JSON.stringify(value)));
        expect(memberOf(text, "a missing name")).toBeNull();
      }
    }),
  );
});

test("numbers keep every digit, and strings their escapes", () => {
  const text = String.raw`[ 12345678901234567890, 1.0e+2 ,-0.10, "\u00e9\\", "\\\"]", {"a\u0062":1.50}]`;
  expect(elementsOf(text)).toEqual([
    "12345678901234567890",
    "1.0e+2",
    "-0.10",
    String.raw`"\u00e9\\"`,
    String.raw`"\\\"]"`,
    String.raw`{"a\u0062":1.50}`,
  ]);
  expect(memberOf(elementsOf(text)[5] ?? "", "ab")).toBe("1.50");
});

test("of members with the same name the last counts, as in every parser", () => {
  expect(memberOf('{"a":1,"a":[2],"b":3}', "a")).toBe("[2]");
});

test("only arrays have elements, and only objects have members", () => {
  for (const text of ['"[1]"', "1", "null", '{"0":1}']) expect(elementsOf(text)).toEqual([]);
  for (const text of ['"a"', "1", "null", '["a"]']) expect(memberOf(text, "a")).toBeNull();
});

test("nesting of any depth is followed", () => {
  const deep = `${"[".repeat(100_000)}1${"]".repeat(100_000)}`;
  expect(elementsOf(`[${deep},2]`)).toEqual([deep, "2"]);
  expect(memberOf(`{"a":${deep}}`, "a")).toBe(deep);
});

test("a truncated text is refused, without searching forever", () => {
  for (const text of ["[", "[1", "[1,", '["a', '["a\\"', "[[1]", "[tru"]) {
    expect(() => elementsOf(text)).toThrow(SyntaxError);
  }
  for (const text of ["{", '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a']) {
    expect(() => memberOf(text, "a")).toThrow(SyntaxError);
  }
});

test("a text that is cut off in the middle of a value is an error, and ends", () => {
  for (const text of ['[ rest of a string."},{"a":1}]', '["a"', "[1,}", "["])
    expect(() => elementsOf(text)).toThrow(SyntaxError);
  for (const text of ['{"a":}', '{"a"', "{,}"])
    expect(() => memberOf(text, "b")).toThrow(SyntaxError);
});
