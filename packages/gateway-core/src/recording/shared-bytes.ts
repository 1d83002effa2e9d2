/** How many bytes of UTF-8 two texts begin with in common; a character that is not whole in both does not count. */
export function sharedBytes(one: Buffer, other: Buffer): number {
  let equal = 0;
  let unknown = Math.min(one.length, other.length);
  // The native comparison does not say where they part, but is fast enough to be asked again for halves.
  while (equal < unknown) {
    const middle = (equal + unknown + 1) >>> 1;
    if (one.compare(other, equal, middle, equal, middle) === 0) equal = middle;
    else unknown = middle - 1;
  }
  while (equal > 0 && (isContinuation(one[equal]) || isContinuation(other[equal]))) equal -= 1;
  return equal;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
