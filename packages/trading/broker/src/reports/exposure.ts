/** When a position was open, in milliseconds since the epoch. */
export interface OpenSpan {
  readonly openTime: number;
  readonly closeTime: number;
}

/**
 * The share of the time since the first trade in which a position was open; null: there was none.
 * @param spans in order of opening
 */
export function exposureOf(spans: Iterable<OpenSpan>, now: number): number | null {
  let first: number | null = null;
  let until = Number.NEGATIVE_INFINITY;
  let open = 0;
  for (const { openTime, closeTime } of spans) {
    first ??= openTime;
    open += Math.max(0, closeTime - Math.max(openTime, until));
    until = Math.max(until, closeTime);
  }
  return first === null || now <= first ? null : Math.round((open / (now - first)) * 1e6) / 1e6;
}
