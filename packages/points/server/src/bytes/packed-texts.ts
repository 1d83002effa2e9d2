/** Concatenated texts in UTF-8: threads pass a thousand of them to each other as fast as ten strings. */
export interface PackedTexts {
  readonly bytes: Uint8Array;
  /** Where each text ends. */
  readonly ends: ArrayLike<number>;
}

export function packTexts(texts: readonly string[]): PackedTexts {
  let characters = 0;
  for (const text of texts) characters += text.length;
  // A UTF-16 code unit takes up to three bytes.
  const buffer = Buffer.allocUnsafe(3 * characters);
  const ends = new Uint32Array(texts.length);
  let end = 0;
  for (const [index, text] of texts.entries()) {
    if (text.length > 0) end += buffer.write(text, end, "utf8");
    ends[index] = end;
  }
  // A view is posted with its whole buffer, so this copies just the used part.
  return { bytes: new Uint8Array(buffer.subarray(0, end)), ends };
}

/** Decodes one text at a time, because none is needed for long. */
export function* unpacked({ bytes, ends }: PackedTexts): Generator<string> {
  // A Buffer arrives from another thread as a plain Uint8Array.
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let index = 0, start = 0; index < ends.length; index += 1) {
    const end = ends[index] ?? 0;
    yield start === end ? "" : buffer.toString("utf8", start, end);
    start = end;
  }
}
