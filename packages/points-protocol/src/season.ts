/** An entry of the answer of `/api/seasons`. What is earned at its end is the next one's. */
export interface Season {
  readonly name: string;
  /** Numeric string: Unix seconds. */
  readonly startTimestamp: string;
  /** Numeric string: Unix seconds; absent: it has no end yet. */
  readonly endTimestamp?: string;
}
