/** The query of a request target, without the question mark. */
export function queryOf(target: string): string {
  const [beforeFragment = ""] = target.split("#", 1);
  const mark = beforeFragment.indexOf("?");
  return mark < 0 ? "" : beforeFragment.slice(mark + 1);
}

/**
 * The collection's path in a request target, as written, without a trailing slash.
 * @param isItem whether the last segment is an item's id
 */
export function collectionPathOf(target: string, isItem: boolean): string {
  const path = target.replace(/^https?:\/\/[^/]*/i, "").replace(/[?#].*/s, "");
  return isItem || path.endsWith("/") ? path.slice(0, path.lastIndexOf("/")) : path;
}
