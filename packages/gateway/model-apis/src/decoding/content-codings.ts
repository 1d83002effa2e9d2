/** The content codings of RFC 9110, section 8.4.1, and of RFC 8878. */
const known = ["gzip", "x-gzip", "deflate", "br", "zstd"] as const;

export type ContentCoding = (typeof known)[number];

/**
 * The codings of a `content-encoding`, in the order in which they were applied. Like clients, it takes what nobody can
 * decode (`none`, an empty value, a charset) for no coding at all.
 */
export function contentCodings(header: string | null): readonly ContentCoding[] {
  const names = header?.toLowerCase().split(",") ?? [];
  return names.flatMap((name) => known.find((coding) => coding === name.trim()) ?? []);
}
