/** The rules by which points are computed and told. Members are named as on the wire. */
export interface Program {
  /** The one network that is served. */
  readonly network: string;
  /** A regular expression that a whole address must match, on top of `[A-Za-z0-9._-]{1,128}`. */
  readonly addressPattern?: string;
  /**
   * `lower`: addresses, tokens and pools are stored and looked up in lower case, as fits EVM networks. It is
   * chosen before the first event. @default "exact"
   */
  readonly addressCase?: "exact" | "lower";
  /** Seconds by which the time of an event may lead this machine's clock. @default 15 */
  readonly clockTolerance?: number;
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
  /**
   * Seconds before a swap that our price may be which says what the swap was worth, where it came without
   * a value. @default 3600
   */
  readonly swapPriceMaxAge?: number;
  /** A pool may be here several times, with other rates at other times. */
  readonly promotedPools: readonly PromotedPool[];
  /** Other rates of swaps from a time on; what is left out stays as it was. @default none */
  readonly rateChanges?: readonly RateChange[];
  /** Stretches of time with rankings of their own. @default none */
  readonly seasons?: readonly Season[];
  /** Days whose last snapshot is kept, so that addresses have a history; 0: none. @default 7 */
  readonly historyDays?: number;
  readonly quest: Quest;
}

export interface RateChange {
  /** Unix seconds. */
  readonly startTimestamp: string;
  readonly pointsPerUsd?: string;
  readonly swapMultiplier?: string;
  readonly swapPairs?: readonly SwapPair[];
}

/** What is earned from its start until its end; the end itself is the next one's. */
export interface Season {
  /** Of the form of an address; part of URLs. */
  readonly name: string;
  /** Unix seconds. */
  readonly startTimestamp: string;
  /** Unix seconds; absent: it has no end yet. */
  readonly endTimestamp?: string;
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
