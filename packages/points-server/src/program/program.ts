/** The rules by which points are computed and told. Members are named as on the wire. */
export interface Program {
  /** The one network that is served. */
  readonly network: string;
  /** A regular expression that a whole address must match, on top of `[A-Za-z0-9._-]{1,128}`. */
  readonly addressPattern?: string;
  /** Seconds from one snapshot to the next. */
  readonly refreshTime: number;
  /** Points are integers of 10^-pointsDecimal of a point. */
  readonly pointsDecimal: number;
  /** Scaled by `pointsDecimal`. */
  readonly pointsPerUsd: string;
  /** Scaled by `pointsDecimal`. */
  readonly swapMultiplier: string;
  /** Swaps between these tokens, in either direction, earn points. */
  readonly swapPairs: readonly SwapPair[];
  /** A pool may stand here several times, with other rates at other times. */
  readonly promotedPools: readonly PromotedPool[];
  readonly quest: Quest;
}

export interface SwapPair {
  readonly tokenX: string;
  readonly tokenY: string;
}

export interface PromotedPool {
  readonly address: string;
  /** Shared among those who provide liquidity; scaled by `pointsDecimal`. */
  readonly pointsPerSecond: string;
  /** Unix seconds. */
  readonly startCountTimestamp: string;
  /** Unix seconds; absent: it has no end. Not told on the wire. */
  readonly endCountTimestamp?: string;
}

export interface Quest {
  /** The points from which on it is completed, scaled by `pointsDecimal`. */
  readonly threshold: string;
  readonly questProvider: string;
  readonly questProviderUrl: string;
}
