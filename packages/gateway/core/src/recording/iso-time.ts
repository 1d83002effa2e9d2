/** The second formatted last, and its text up to the milliseconds. */
let lastSecond = Number.NaN;
let lastText = "";

const thousandths = Array.from(
  { length: 1_000 },
  (_, index) => `${String(index).padStart(3, "0")}Z`,
);

/**
 * Equals `Date.prototype.toISOString`, which takes longer than hashing a small body.
 * @param time whole milliseconds since the epoch
 */
export function isoTime(time: number): string {
  const second = Math.floor(time / 1_000);
  if (second !== lastSecond) {
    lastText = new Date(time).toISOString().slice(0, -"000Z".length);
    lastSecond = second;
  }
  return lastText + thousandths[time - second * 1_000];
}
