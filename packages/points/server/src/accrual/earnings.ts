/** What an address has done and earned, in whole units. */
export interface Earnings {
  /** Swaps of the program's pairs. */
  readonly swaps: number;
  readonly openPositions: number;
  readonly swapPoints: bigint;
  /** In the last 24 hours. */
  readonly recentSwapPoints: bigint;
  readonly lpPoints: bigint;
  readonly recentLpPoints: bigint;
}
