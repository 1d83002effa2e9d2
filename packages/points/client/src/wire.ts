export type { ContentProgramEntry } from "./wire/content-program.ts";
export type { HistoryEntry } from "./wire/history.ts";
export type { PointsConfig, PromotedPool, SwapPair } from "./wire/points-config.ts";
export type { PriceFeedEntry, PriceFeeds, Prices } from "./wire/prices.ts";
export type { QuestDescription, QuestState } from "./wire/quest.ts";
export {
  type Leaderboard,
  type LpRecord,
  type MemberKind,
  type RankedRecord,
  type Ranking,
  type RankingForm,
  type RecordOf,
  rankingNames,
  rankings,
  type SwapsRecord,
  type TotalRecord,
} from "./wire/ranking.ts";
export type { Season } from "./wire/season.ts";
