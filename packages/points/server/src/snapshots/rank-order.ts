import type { AmountColumn } from "../accrual/amount-column.ts";

/**
 * The order of a ranking, as indices: most points first, ties by address.
 *
 * Bigints are first sorted as floating point, with a radix sort, in a tenth of the time that comparing them takes.
 * Rounding never swaps two numbers but makes some equal, and those are then sorted exactly.
 */
export function rankOrder(
  points: AmountColumn,
  size: number,
  compareAddresses: (a: number, b: number) => number,
): Uint32Array {
  const digits = digitsOf(points, size);
  const order = digits.reduce(
    (sorted, digit) => sortedByDigit(sorted, digit),
    Uint32Array.from({ length: size }, (_, index) => index),
  );
  const exactly = (a: number, b: number): number => {
    const [pointsA, pointsB] = [points.get(a), points.get(b)];
    if (pointsA !== pointsB) return pointsA > pointsB ? -1 : 1;
    return compareAddresses(a, b);
  };
  const isSame = (place: number, other: number): boolean => {
    const [a = 0, b = 0] = [order[place], order[other]];
    return digits.every((digit) => digit[a] === digit[b]);
  };
  for (let first = 0; first < order.length; ) {
    let end = first + 1;
    while (end < order.length && isSame(first, end)) end += 1;
    if (end - first > 1) order.subarray(first, end).sort(exactly);
    first = end;
  }
  return order;
}

const digitValues = 2 ** 16;
const digitsOfNumber = 4;

/** The digits of the floating point numbers, lowest first; they sort like the numbers. */
function digitsOf(points: AmountColumn, size: number): Uint16Array[] {
  const digits = Array.from({ length: digitsOfNumber }, () => new Uint16Array(size));
  const float = new DataView(new ArrayBuffer(8));
  for (let index = 0; index < size; index += 1) {
    float.setFloat64(0, points.nearest(index), true);
    for (let place = 0; place < digitsOfNumber; place += 1) {
      const digit = digits[place];
      if (digit !== undefined) digit[index] = float.getUint16(2 * place, true);
    }
  }
  return digits;
}

/** Largest digit first; stable. */
function sortedByDigit(order: Uint32Array, digit: Uint16Array): Uint32Array<ArrayBuffer> {
  const places = new Uint32Array(digitValues);
  for (const value of digit) places[value] = (places[value] ?? 0) + 1;
  let place = 0;
  for (let value = digitValues - 1; value >= 0; value -= 1) {
    const count = places[value] ?? 0;
    places[value] = place;
    place += count;
  }
  const sorted = new Uint32Array(order.length);
  for (const index of order) {
    const value = digit[index] ?? 0;
    const next = places[value] ?? 0;
    sorted[next] = index;
    places[value] = next + 1;
  }
  return sorted;
}
