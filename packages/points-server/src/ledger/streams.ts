import type { PositionEvent, SwapEvent } from "../events/event.ts";

/** What the events of a stream are about; see `StreamsTable`. */
export function streamKey(event: SwapEvent | PositionEvent): string {
  return event.type === "swap" ? pairKey(event.tokenX, event.tokenY) : poolKey(event.pool);
}

export const poolKey = (pool: string): string => `pool/${pool}`;

/** The same in either direction. */
export function pairKey(tokenX: string, tokenY: string): string {
  return tokenX < tokenY ? `pair/${tokenX}/${tokenY}` : `pair/${tokenY}/${tokenX}`;
}
