import type { MemberReader } from "../reading/member-reader.ts";

/** An entry in the answer of `/api/content-program/<address>`; times are Unix seconds. */
export interface ContentProgramEntry {
  readonly startTimestamp: number;
  readonly endTimestamp: number;
  readonly points: number;
}

export const readContentEntry = (entry: MemberReader): ContentProgramEntry => ({
  startTimestamp: entry.integer("startTimestamp"),
  endTimestamp: entry.integer("endTimestamp"),
  points: entry.integer("points"),
});
