import fc from "fast-check";
import { expect, test } from "vitest";
import { AmountColumn } from "../../src/accrual/amount-column.ts";
import { rankOrder } from "../../src/snapshots/rank-order.ts";

/** Ties, neighbours that are equal in floating point, and numbers beyond floating point. */
const points = fc.oneof(
  fc.bigInt(0n, 3n),
  fc.bigInt(2n ** 53n - 2n, 2n ** 53n + 2n),
  fc.bigInt(0n, 2n ** 300n),
  fc.bigInt(2n ** 1024n, 2n ** 1024n + 2n),
);

function columnOf(amounts: readonly bigint[]): AmountColumn {
  const column = new AmountColumn();
  for (const [index, amount] of amounts.entries()) column.add(index, amount);
  return column;
}

test("ranks are a permutation, most points first, ties by address", () => {
  const addresses = fc.uniqueArray(fc.stringMatching(/^[A-Za-z0-9._-]{1,6}$/), {
    minLength: 0,
    maxLength: 60,
  });
  const holders = addresses.chain((own) =>
    fc.tuple(fc.constant(own), fc.array(points, { minLength: own.length, maxLength: own.length })),
  );
  fc.assert(
    fc.property(holders, ([own, amounts]) => {
      const by = (a: number, b: number): number => ((own[a] ?? "") < (own[b] ?? "") ? -1 : 1);
      const expected = [...own.keys()].sort((a, b) => {
        const [first = 0n, second = 0n] = [amounts[a], amounts[b]];
        if (first !== second) return first > second ? -1 : 1;
        return by(a, b);
      });
      expect([...rankOrder(columnOf(amounts), amounts.length, by)]).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test("many equal points are ordered by address", () => {
  const amounts = Array.from({ length: 200_000 }, (_, index) => BigInt(index % 3));
  const order = rankOrder(columnOf(amounts), amounts.length, (a, b) => b - a);
  expect(order[0]).toBe(199_997);
  expect(order.at(-1)).toBe(0);
  expect(new Set(order).size).toBe(amounts.length);
});
