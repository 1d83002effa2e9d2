const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Whether the chunks end in a complete blank line of an event stream. */
export function endsInBlankLine(chunks: readonly Uint8Array[]): boolean {
  const [last, second, third] = lastBytes(chunks, 3);
  // A CR after another kind of line end may be the first half of a CRLF.
  if (last === CARRIAGE_RETURN) return second === CARRIAGE_RETURN;
  if (last !== LINE_FEED) return false;
  if (second === LINE_FEED) return true;
  return second === CARRIAGE_RETURN && (third === LINE_FEED || third === CARRIAGE_RETURN);
}

/** From the last byte backwards. */
function lastBytes(chunks: readonly Uint8Array[], count: number): number[] {
  const bytes: number[] = [];
  for (let index = chunks.length - 1; index >= 0 && bytes.length < count; index--)
    bytes.push(...(chunks[index]?.subarray(-(count - bytes.length)).toReversed() ?? []));
  return bytes;
}
