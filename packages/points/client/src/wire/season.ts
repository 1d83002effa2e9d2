import type { Season } from "@proj/points-protocol";
import type { MemberReader } from "../reading/member-reader.ts";

export const readSeason = (season: MemberReader): Season => ({
  name: season.text("name"),
  startTimestamp: season.numeric("startTimestamp"),
  ...(season.has("endTimestamp") ? { endTimestamp: season.numeric("endTimestamp") } : {}),
});
