/** Splits a text between characters, never inside one. */
export function cutText(text: string, length: number): readonly string[] {
  const characters = Array.from(text);
  const pieces: string[] = [];
  for (let start = 0; start < characters.length; start += length) {
    pieces.push(characters.slice(start, start + length).join(""));
  }
  return pieces;
}

/** A value as the UTF-8 bytes of its JSON. */
export function jsonBytes(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
