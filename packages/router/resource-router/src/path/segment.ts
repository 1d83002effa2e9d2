/**
 * Encodes an id as one path segment.
 * @throws TypeError no URL can contain it: it is empty, `.` or `..`, or has unpaired surrogates
 */
export function encodeId(id: string): string {
  if (id === "" || isDotSegment(id) || !id.isWellFormed())
    throw new TypeError(
      `An id cannot be ${JSON.stringify(id)}: no URL can contain it as a segment.`,
    );
  return encodeURIComponent(id);
}

/** Decodes a segment once; null: it is not an id. */
export function decodeId(segment: string): string | null {
  const id = segment.includes("%") ? unescapeSegment(segment) : segment;
  return id === null || isDotSegment(id) ? null : id;
}

function unescapeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** URL parsers resolve these in any spelling, so the sender meant another path. */
function isDotSegment(text: string): boolean {
  return text === "." || text === "..";
}
