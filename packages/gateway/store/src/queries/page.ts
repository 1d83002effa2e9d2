const defaultLimit = 100;
/** Limits every page to one short read transaction. */
const maxLimit = 1000;
const pageBytes = 8 * 1024 * 1024;

/** How many rows a page may have. */
export function pageLimit(limit: number = defaultLimit): number {
  return Math.min(Math.max(Math.trunc(limit), 1), maxLimit);
}

export interface RowSize {
  readonly bytes: number;
}

/** The last row of the page that starts with the first row. A page has at least one row, however large. */
export function endOfPage<Size extends RowSize>(
  sizes: readonly Size[],
  limit: number,
): Size | undefined {
  let bytes = 0;
  let last: Size | undefined;
  for (const size of sizes.slice(0, limit)) {
    bytes += size.bytes;
    if (last !== undefined && bytes > pageBytes) break;
    last = size;
  }
  return last;
}
