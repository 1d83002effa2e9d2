export type { ContentProgramEntry } from "./content-program.ts";
export type { HistoryEntry } from "./history.ts";
export type { PointsConfig, PromotedPool, SwapPair } from "./points-config.ts";
export type { PriceFeedEntry, PriceFeeds, Prices } from "./prices.ts";
export type { QuestDescription, QuestState } from "./quest.ts";
export {
  type Leaderboard,
  type LpRecord,
  type RankedRecord,
  type Ranking,
  type RecordOf,
  rankings,
  type SwapsRecord,
  type TotalRecord,
} from "./ranking.ts";
export type { Season } from "./season.ts";
