import { isContinuation } from "@proj/model-apis/json";

/**
 * The largest length, at most `limit`, that does not split a character of a UTF-8 text. If the bytes are not
 * UTF-8, any cut is fine, and at most three bytes are given up.
 */
export function cutUtf8(bytes: Uint8Array, limit: number): number {
  if (bytes.length <= limit) return bytes.length;
  let end = limit;
  // RFC 3629: a character has at most three continuation bytes, 10xxxxxx each, after its first.
  while (end > 0 && end > limit - 3 && isContinuation(bytes[end])) end--;
  return isContinuation(bytes[end]) ? limit : end;
}
