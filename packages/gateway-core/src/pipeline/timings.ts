/** When what happened, in milliseconds of `performance.now()`; 0 means not yet, or never. */
export interface CallTimings {
  /** Wall clock at the start, milliseconds since the epoch. */
  readonly startedAt: number;
  readonly started: number;
  bodyRead: number;
  /** Began to wait for a place on the route, and got it. */
  queued: number;
  placed: number;
  /** The upstream request began (the last attempt), its headers came, its first body byte came, its body ended. */
  forwarded: number;
  headersCame: number;
  firstByte: number;
  upstreamEnded: number;
  settled: number;
}

export function startTimings(): CallTimings {
  return {
    startedAt: Date.now(),
    started: performance.now(),
    bodyRead: 0,
    queued: 0,
    placed: 0,
    forwarded: 0,
    headersCame: 0,
    firstByte: 0,
    upstreamEnded: 0,
    settled: 0,
  };
}
