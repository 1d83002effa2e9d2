import type { MemberReader } from "../reading/member-reader.ts";

/** An entry in the answer of `/api/history/<address>`: its total rank at the end of a day, or now. */
export interface HistoryEntry {
  /** The snapshot's time in Unix seconds. */
  readonly timestamp: number;
  readonly rank: number;
  /** Numeric string. */
  readonly points: string;
}

export const readHistoryEntry = (entry: MemberReader): HistoryEntry => ({
  timestamp: entry.integer("timestamp"),
  rank: entry.integer("rank"),
  points: entry.numeric("points"),
});
