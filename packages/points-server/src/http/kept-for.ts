/** The `Cache-Control` of answers that change at moments nobody knows: kept, but asked about each time. */
export const askedEachTime = "no-cache";

/** The pages of a snapshot that the caller named never change. */
export const keptForever = "public, max-age=31536000, immutable";

/** @param seconds 0: asked about each time */
export const keptFor = (seconds: number): string =>
  seconds === 0 ? askedEachTime : `public, max-age=${seconds}`;

/**
 * Kept until the next snapshot is due; for a second while that one is late.
 * @param snapshotTime Unix seconds
 */
export function keptUntilNext(snapshotTime: number, refreshTime: number): string {
  const left = snapshotTime + refreshTime - Math.floor(Date.now() / 1000);
  return keptFor(Math.min(Math.max(left, 1), refreshTime));
}
