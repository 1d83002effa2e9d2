/**
 * Bytes in memory of their own that can be freed at once. V8 frees what nothing refers to, but it runs a full
 * collection to find memory outside its heap: with bodies of 1 MB, one for every 400 steps.
 */

/** A copy in memory of its own. */
export function copyToOwn(bytes: Buffer): Buffer {
  return replaceEnd(new ArrayBuffer(sizeFor(bytes)), 0, bytes);
}

/**
 * Turns own bytes into others that share their beginning, in the same memory if there is room; only the rest is
 * copied. The former ones must no longer be read.
 * @param shared length of the common beginning
 */
export function continueOwn(former: Buffer, shared: number, bytes: Buffer): Buffer {
  const memory = memoryOf(former);
  const size = memory.byteLength;
  const fits = bytes.length <= size && size <= 2 * sizeFor(bytes);
  // Handing it to another ArrayBuffer would be cheap, too, but V8 would count it as new memory.
  return replaceEnd(fits ? memory : memory.transfer(sizeFor(bytes)), shared, bytes);
}

/** Frees own bytes, which are empty afterwards. */
export function freeOwn(bytes: Buffer): void {
  memoryOf(bytes).transfer(0);
}

/** The size of the memory of own bytes. */
export const ownSize = (bytes: Buffer): number => bytes.buffer.byteLength;

/** A conversation grows with each step: a quarter more than the bytes need. */
const sizeFor = ({ length }: Buffer): number => length + (length >>> 2);

function replaceEnd(memory: ArrayBuffer, start: number, bytes: Buffer): Buffer {
  const own = Buffer.from(memory, 0, bytes.length);
  bytes.copy(own, start, start);
  return own;
}

function memoryOf({ buffer }: Buffer): ArrayBuffer {
  if (buffer instanceof ArrayBuffer) return buffer;
  throw new TypeError("shared memory belongs to others too");
}
