/** Options of sources that draw prices from a seed. */
export interface DrawnPrices {
  /** A non-negative safe integer. @default 1 */
  readonly seed?: number;
  /**
   * When a new market begins: milliseconds since the epoch, or an ISO 8601 time. A stored market resumes at its
   * own time.
   * @default the time of the first start
   */
  readonly start?: number | string;
  /** Market milliseconds between prices of an instrument. @default 1000 */
  readonly tick_interval_ms?: number;
}

/**
 * @param now used without `start`
 * @throws TypeError an invalid option
 */
export function readDrawnPrices(
  { seed = 1, start, tick_interval_ms = 1000 }: DrawnPrices,
  now: number,
): { readonly seed: number; readonly interval: number; readonly begins: number } {
  if (!Number.isSafeInteger(seed) || seed < 0) {
    throw new TypeError(`prices.seed must be a non-negative integer, but is ${seed}`);
  }
  if (!Number.isFinite(tick_interval_ms) || tick_interval_ms <= 0) {
    throw new TypeError(`prices.tick_interval_ms must be above 0, but is ${tick_interval_ms}`);
  }
  const begins = typeof start === "string" ? Date.parse(start) : (start ?? now);
  if (Number.isFinite(begins)) return { seed, interval: tick_interval_ms, begins };
  throw new TypeError(`prices.start must be an ISO 8601 time, but is ${start}`);
}
