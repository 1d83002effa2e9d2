import fc from "fast-check";
import { expect, it } from "vitest";
import { multiplyDivide, roundCents } from "../../src/engine/exact-division.ts";

/** The expected result, with integers of any size. */
function exactly(a: number, b: number, c: number, divisor: number): number {
  const product = BigInt(a) * BigInt(b) * BigInt(c);
  const size = product < 0n ? -product : product;
  const by = BigInt(divisor);
  const rounded = Number((2n * size + by) / (2n * by));
  return product < 0n ? 0 - rounded : rounded;
}

it("divides exactly and rounds halves away from zero, however large the product", () => {
  const factor = fc.oneof(
    fc.integer({ min: -1_000_000, max: 1_000_000 }),
    fc.constantFrom(0, 1, -1, 5, -5, 3 ** 20),
  );
  const divisor = fc.oneof(fc.integer({ min: 1, max: 1_000_000 }), fc.constantFrom(2, 10, 200_000));
  fc.assert(
    fc.property(factor, factor, factor, divisor, (a, b, c, by) => {
      expect(multiplyDivide(a, b, c, by)).toBe(exactly(a, b, c, by));
    }),
    { numRuns: 2000 },
  );
  expect([5, -5, 15, -15, 4, -4].map((n) => multiplyDivide(n, 1, 1, 10))).toEqual([
    1, -1, 2, -2, 0, 0,
  ]);
});

it("rounds half cents away from zero", () => {
  expect([0.5, -0.5, 1.49, -1.5, -0.2].map(roundCents)).toEqual([1, -1, 1, -2, 0]);
});
