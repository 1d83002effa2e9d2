import fc from "fast-check";
import { expect, test } from "vitest";
import { AmountColumn } from "../../src/accrual/amount-column.ts";

test("sums are exact on both sides of 2^53, as text or bigint, and sort like the numbers", () => {
  const amount = fc.oneof(
    fc.bigInt(0n, 5n),
    fc.bigInt(2n ** 52n, 2n ** 53n + 3n),
    fc.bigInt(0n, 2n ** 128n),
  );
  const additions = fc.array(fc.tuple(fc.nat(3000), amount, fc.boolean()), { maxLength: 60 });
  fc.assert(
    fc.property(additions, (all) => {
      const column = new AmountColumn();
      const sums = new Map<number, bigint>();
      for (const [number, value, isText] of all) {
        column.add(number, isText ? String(value) : value);
        sums.set(number, (sums.get(number) ?? 0n) + value);
      }
      for (const [number, sum] of sums) {
        expect(column.get(number)).toBe(sum);
        expect(column.nearest(number)).toBe(Number(sum));
      }
      expect(column.get(3001)).toBe(0n);
    }),
  );
});
