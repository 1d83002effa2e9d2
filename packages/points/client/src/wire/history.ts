import type { HistoryEntry } from "@proj/points-protocol";
import type { MemberReader } from "../reading/member-reader.ts";

export const readHistoryEntry = (entry: MemberReader): HistoryEntry => ({
  timestamp: entry.integer("timestamp"),
  rank: entry.integer("rank"),
  points: entry.numeric("points"),
});
