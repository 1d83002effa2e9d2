/** `pg_type.oid` of text. */
const textOid = 25;
const headBytes = 20;

/**
 * PostgreSQL's binary form of a `text[]` with one dimension (read by its `array_recv`). In text form, every quote and
 * backslash of a payload would have to be escaped here and unescaped there.
 */
export function encodeTextArray(values: readonly (string | Uint8Array | null)[]): Buffer {
  let size = headBytes;
  for (const value of values) size += 4 + (value === null ? 0 : Buffer.byteLength(value));
  const array = Buffer.allocUnsafe(size);
  array.writeInt32BE(1, 0);
  array.writeInt32BE(Number(values.includes(null)), 4);
  array.writeInt32BE(textOid, 8);
  array.writeInt32BE(values.length, 12);
  array.writeInt32BE(1, 16);
  let at = headBytes;
  for (const value of values) {
    const start = at + 4;
    let length = 0;
    if (typeof value === "string") length = array.write(value, start);
    else if (value !== null) {
      array.set(value, start);
      length = value.length;
    }
    array.writeInt32BE(value === null ? -1 : length, at);
    at = start + length;
  }
  return array;
}
