import { expect, test } from "vitest";
import { dollars, exactDollars } from "../src/sheets/index.ts";

test("nano-dollars are written to the last digit, or rounded", () => {
  const exact = [0, 1, 37_500, 37_500_001, 1_000_000_000, 12_345_678_901, 9_007_199_254_740_991];
  expect(exact.map(exactDollars)).toEqual([
    "$0.00",
    "$0.000000001",
    "$0.0000375",
    "$0.037500001",
    "$1.00",
    "$12.345678901",
    "$9007199.254740991",
  ]);
  expect([0, 1, 37_500, 2_000_000_000, 12_345_678_901].map(dollars)).toEqual([
    "$0.00",
    "$0.000000001",
    "$0.0000375",
    "$2.00",
    "$12.35",
  ]);
});
