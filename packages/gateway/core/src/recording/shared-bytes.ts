import { isContinuation } from "@proj/model-apis/json";

/** Length of two UTF-8 texts' common beginning in bytes; a character counts only if it is whole in both. */
export function sharedBytes(one: Buffer, other: Buffer): number {
  let equal = 0;
  let unknown = Math.min(one.length, other.length);
  // The native comparison does not say where they differ, but it is fast enough for a binary search.
  while (equal < unknown) {
    const middle = (equal + unknown + 1) >>> 1;
    if (one.compare(other, equal, middle, equal, middle) === 0) equal = middle;
    else unknown = middle - 1;
  }
  while (equal > 0 && (isContinuation(one[equal]) || isContinuation(other[equal]))) equal -= 1;
  return equal;
}
