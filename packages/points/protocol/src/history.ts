/** An entry in the answer of `/api/history/<address>`: its total rank at the end of a day, or now. */
export interface HistoryEntry {
  /** The snapshot's time in Unix seconds. */
  readonly timestamp: number;
  readonly rank: number;
  /** Numeric string. */
  readonly points: string;
}
