/** Whether the byte continues a character of UTF-8 (10xxxxxx, RFC 3629). */
export function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
