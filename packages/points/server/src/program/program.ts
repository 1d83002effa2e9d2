/** The rules by which points are computed and published. Members are named as in the API. */
export interface Program {
  /** The network that is served. */
  readonly network: string;
  /** A regular expression that whole addresses must match, in addition to `[A-Za-z0-9._-]{1,128}`. */
  readonly addressPattern?: string;
  /**
   * `lower` stores and looks up addresses, tokens and pools in lower case, as EVM networks need. Choose it before the
   * first event. @default "exact"
   */
  readonly addressCase?: "exact" | "lower";
  /** How many seconds the time of an event may be ahead of this machine's clock. @default 15 */
  readonly clockTolerance?: number;
  /** Seconds from one snapshot to the next. */
  readonly refreshTime: number;
  /** Points are integer multiples of 10^-pointsDecimal. */
  readonly pointsDecimal: number;
  /** Scaled by `pointsDecimal`. */
  readonly pointsPerUsd: string;
  /** Scaled by `pointsDecimal`. */
  readonly swapMultiplier: string;
  /** Swaps between these tokens, in either direction, earn points. */
  readonly swapPairs: readonly SwapPair[];
  /**
   * How many seconds older than a swap the price that values it may be, for swaps sent without a value.
   * @default 3600
   */
  readonly swapPriceMaxAge?: number;
  /** A pool may be listed several times, with different rates at different times. */
  readonly promotedPools: readonly PromotedPool[];
  /** New rates of swaps from some time on; omitted members keep their values. @default none */
  readonly rateChanges?: readonly RateChange[];
  /** Periods with rankings of their own. @default none */
  readonly seasons?: readonly Season[];
  /** For how many days the day's last snapshot is kept, for the history of addresses; 0: none. @default 7 */
  readonly historyDays?: number;
  readonly ranking?: {
    /**
     * The rank of equal points: `order` gives each address its own, by address; `shared` gives all of them the first
     * one (1, 2, 2, 4). Either way they are listed by address. Snapshots that were already built keep theirs.
     * @default "order"
     */
    readonly ties?: Ties;
  };
  readonly quest: Quest;
}

export type Ties = "order" | "shared";

export interface RateChange {
  /** Unix seconds. */
  readonly startTimestamp: string;
  readonly pointsPerUsd?: string;
  readonly swapMultiplier?: string;
  readonly swapPairs?: readonly SwapPair[];
}

/** Covers its start but not its end. */
export interface Season {
  /** Same form as an address; part of URLs. */
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
  /** Shared by liquidity; scaled by `pointsDecimal`. */
  readonly pointsPerSecond: string;
  /** Unix seconds. */
  readonly startCountTimestamp: string;
  /** Unix seconds; absent: it has no end. Not part of the API's answer. */
  readonly endCountTimestamp?: string;
}

export interface Quest {
  /** The points that complete it, scaled by `pointsDecimal`. */
  readonly threshold: string;
  readonly questProvider: string;
  readonly questProviderUrl: string;
}
