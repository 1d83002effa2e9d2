import { expect, test } from "vitest";
import { Column, pieceSize } from "../../src/accrual/column.ts";

test("values are kept by number; unset and forgotten ones have the initial value", () => {
  const column = new Column(0n);
  const numbers = [0, 1, pieceSize - 1, pieceSize, 5 * pieceSize + 7];
  for (const number of numbers) column.set(number, BigInt(number) + 1n);
  for (const number of numbers) expect(column.get(number)).toBe(BigInt(number) + 1n);
  for (const number of [2, pieceSize + 1, 3 * pieceSize, 9 * pieceSize])
    expect(column.get(number)).toBe(0n);

  column.forget(0);
  column.forget(99);
  expect(column.get(pieceSize - 1)).toBe(0n);
  expect(column.get(pieceSize)).toBe(BigInt(pieceSize) + 1n);
  column.set(1, 5n);
  expect(column.get(1)).toBe(5n);
});
