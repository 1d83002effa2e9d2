const decoder = new TextDecoder("utf-8", { fatal: true });

/** `isUtf8` of Node's module `buffer`, for browsers. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
