/**
 * The order of a ranking, as indices: most points first, equal ones by address.
 *
 * Whole numbers of any size are brought in order as floating point first, the upper half of which stands
 * before the index in one integer: such are sorted by themselves, ten times as fast as by a function.
 * Rounding never swaps two numbers, but makes some equal, and those are put in order exactly.
 */
export function rankOrder(
  points: readonly bigint[],
  compareAddresses: (a: number, b: number) => number,
): Uint32Array {
  const heads = Uint32Array.from(points, upperHalf);
  const keys = BigUint64Array.from(heads, (head, index) => (BigInt(head) << 32n) | BigInt(index));
  const order = Uint32Array.from(keys.sort().reverse(), (key) => Number(key & 0xffff_ffffn));

  const exactly = (a: number, b: number): number => {
    const [pointsA = 0n, pointsB = 0n] = [points[a], points[b]];
    if (pointsA !== pointsB) return pointsA > pointsB ? -1 : 1;
    return compareAddresses(a, b);
  };
  const headAt = (place: number): number | undefined => heads[order[place] ?? -1];
  for (let first = 0; first < order.length; ) {
    let end = first + 1;
    while (end < order.length && headAt(end) === headAt(first)) end += 1;
    if (end - first > 1) order.subarray(first, end).sort(exactly);
    first = end;
  }
  return order;
}

const float = new DataView(new ArrayBuffer(8));

/** Of the number as floating point: larger for larger numbers, or the same. */
function upperHalf(value: bigint): number {
  float.setFloat64(0, Number(value));
  return float.getUint32(0);
}
