import type { ContentProgramEntry } from "@proj/points-protocol";
import type { MemberReader } from "../reading/member-reader.ts";

export const readContentEntry = (entry: MemberReader): ContentProgramEntry => ({
  startTimestamp: entry.integer("startTimestamp"),
  endTimestamp: entry.integer("endTimestamp"),
  points: entry.integer("points"),
});
