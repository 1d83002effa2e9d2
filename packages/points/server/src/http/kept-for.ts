/** The `Cache-Control` of answers that may change at any time: cached, but revalidated each time. */
export const askedEachTime = "no-cache";

/** A page of a named snapshot never changes. */
export const keptForever = "public, max-age=31536000, immutable";

/** @param seconds 0: revalidated each time */
export const keptFor = (seconds: number): string =>
  seconds === 0 ? askedEachTime : `public, max-age=${seconds}`;

/**
 * Cached until the next snapshot is due; for one second while it is late.
 * @param snapshotTime Unix seconds
 */
export function keptUntilNext(snapshotTime: number, refreshTime: number): string {
  const left = snapshotTime + refreshTime - Math.floor(Date.now() / 1000);
  return keptFor(Math.min(Math.max(left, 1), refreshTime));
}
