/** An entry of the answer of `/api/history/<address>`: how it was ranked among all at the end of a day, or just now. */
export interface HistoryEntry {
  /** Unix seconds, of the snapshot. */
  readonly timestamp: number;
  readonly rank: number;
  /** Numeric string. */
  readonly points: string;
}
