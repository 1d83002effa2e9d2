import {
  formattedText,
  NumericStringError,
  numericToBigInt,
  scaledText,
} from "@proj/points-client";
import fc from "fast-check";
import { expect, test } from "vitest";

const anyInteger = fc.bigInt({ min: -(2n ** 300n), max: 2n ** 300n });

test("a decimal integer of any size is read exactly", () => {
  fc.assert(
    fc.property(anyInteger, (value) => {
      expect(numericToBigInt(String(value))).toBe(value);
    }),
  );
});

test("hexadecimal of even length is read exactly", () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(bytes, (value) => {
      const text = Buffer.from(value).toString("hex");
      expect(numericToBigInt(text, "hex")).toBe(BigInt(`0x${text}`));
    }),
  );
});

test("the same digits are a different number in the other form", () => {
  expect(numericToBigInt("64")).toBe(64n);
  expect(numericToBigInt("64", "hex")).toBe(100n);
});

test.each([
  ["decimal", ""],
  ["decimal", "1.5"],
  ["decimal", "1e3"],
  ["decimal", "0x10"],
  ["decimal", " 1"],
  ["decimal", "0f"],
  ["decimal", "+1"],
  ["hex", ""],
  ["hex", "abc"],
  ["hex", "0F"],
  ["hex", "0x10"],
  ["hex", "-1"],
] as const)("%s: '%s' is refused", (form, text) => {
  expect(() => numericToBigInt(text, form)).toThrow(NumericStringError);
});

test.each([
  [0n, 0, "0"],
  [0n, 6, "0"],
  [1n, 6, "0.000001"],
  [1_500_000n, 6, "1.5"],
  [-1_500_000n, 6, "-1.5"],
  [2n ** 64n, 0, "18446744073709551616"],
  [2n ** 64n, 8, "184467440737.09551616"],
])("%s scaled by %i decimals is %s", (value, decimals, text) => {
  expect(scaledText(value, decimals)).toBe(text);
});

test("scaling is exact", () => {
  fc.assert(
    fc.property(anyInteger, fc.nat(60), (value, decimals) => {
      const [whole = "", fraction = ""] = scaledText(value, decimals).split(".");
      expect(BigInt(whole + fraction.padEnd(decimals, "0"))).toBe(value);
    }),
  );
});

test("impossible decimals are refused", () => {
  expect(() => scaledText(1n, -1)).toThrow(RangeError);
  expect(() => scaledText(1n, 1.5)).toThrow(/decimals must be a whole number/);
});

test.each([
  [90_071_992_547_409_931_234_567n, 6, {}, "90,071,992,547,409,931.23"],
  [1_999_999n, 6, {}, "1.99"],
  [1_999_999n, 6, { maximumFractionDigits: 6 }, "1.999999"],
  [12_999_999_999n, 6, { notation: "compact" }, "12.99K"],
  [5n, 0, { minimumFractionDigits: 2 }, "5.00"],
  [1_234_567n, 3, { locale: "de" }, "1.234,56"],
] as const)(
  "%d with %d decimals is formatted for people, rounded down",
  (value, decimals, options, text) => {
    expect(formattedText(value, decimals, { locale: "en", ...options })).toBe(text);
  },
);
