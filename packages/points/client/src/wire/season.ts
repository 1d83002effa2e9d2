import type { MemberReader } from "../reading/member-reader.ts";

/** An entry in the answer of `/api/seasons`. A season does not include its end. */
export interface Season {
  readonly name: string;
  /** Numeric string: Unix seconds. */
  readonly startTimestamp: string;
  /** Numeric string: Unix seconds; absent: it has no end yet. */
  readonly endTimestamp?: string;
}

export const readSeason = (season: MemberReader): Season => ({
  name: season.text("name"),
  startTimestamp: season.numeric("startTimestamp"),
  ...(season.has("endTimestamp") ? { endTimestamp: season.numeric("endTimestamp") } : {}),
});
