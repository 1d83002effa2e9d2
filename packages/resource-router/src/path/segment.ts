/**
 * Writes an id as one segment of a path.
 * @throws TypeError for what no URL can hold: the empty id, `.`, `..`, and unpaired surrogates
 */
export function encodeId(id: string): string {
  if (id === "" || isDotSegment(id) || !id.isWellFormed())
    throw new TypeError(`An id cannot be ${JSON.stringify(id)}: no URL can hold it as a segment.`);
  return encodeURIComponent(id);
}

/** Decodes a segment once; null where it is not an id. */
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

/** URL parsers resolve these away, however they are spelt: the sender meant another path. */
function isDotSegment(text: string): boolean {
  return text === "." || text === "..";
}
