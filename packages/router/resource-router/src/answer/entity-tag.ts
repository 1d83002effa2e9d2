/**
 * An entity tag, as the headers `ETag` and `If-Match` write it (RFC 9110, section 8.8.3).
 * @param version a value that changes with the item, such as a row's version; a quoted tag is kept as it is
 * @throws TypeError the version has characters that no tag can contain: spaces, quotes, or non-ASCII ones
 */
export function entityTag(version: string | number): string {
  const text = String(version);
  if (/^(W\/)?"[!#-~]*"$/.test(text)) return text;
  if (/^[!#-~]+$/.test(text)) return `"${text}"`;
  throw new TypeError(`An entity tag cannot contain ${JSON.stringify(text)}.`);
}

/** Whether a list of tags, such as `If-None-Match`, contains a tag, by weak comparison (section 8.8.3.2); only `*` contains null, an unknown tag. */
export function hasTag(list: string, tag: string | null): boolean {
  if (list === "*") return true;
  return tag !== null && tagsOf(list).some((one) => opaque(one) === opaque(tag));
}

/** The same by strong comparison: a weak tag matches nothing. */
export function hasStrongTag(list: string, tag: string | null): boolean {
  if (list === "*") return true;
  return tag !== null && !tag.startsWith("W/") && tagsOf(list).includes(tag);
}

function tagsOf(list: string): readonly string[] {
  return list.match(/(W\/)?"[^"]*"/g) ?? [];
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, "");
}
