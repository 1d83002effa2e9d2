export {
  ApiError,
  ConnectionError,
  HttpError,
  InvalidAnswerError,
  TimeoutError,
} from "@proj/http-client";
export type { CallOptions } from "./calls/ask.ts";
export type { ServiceAddress } from "./calls/service.ts";
export { FallbackError } from "./errors/fallback-error.ts";
export { SnapshotGoneError } from "./errors/snapshot-gone-error.ts";
export type { LeaderboardPage, LeaderboardQuery, WholeRankingOptions } from "./leaderboard-page.ts";
export { type FormatOptions, formattedText } from "./numbers/formatted-text.ts";
export { type NumberForm, NumericStringError, numericToBigInt } from "./numbers/numeric-string.ts";
export { scaledText } from "./numbers/scaled-text.ts";
export {
  PagedLeaderboard,
  type PagedLeaderboardOptions,
  type PagedState,
} from "./paging/paged-leaderboard.ts";
export {
  createPointsClient,
  type PointsClient,
  type PointsClientOptions,
} from "./points-client.ts";
export type {
  ContentProgramEntry,
  HistoryEntry,
  Leaderboard,
  LpRecord,
  PointsConfig,
  PriceFeedEntry,
  PriceFeeds,
  Prices,
  PromotedPool,
  QuestDescription,
  QuestState,
  RankedRecord,
  Ranking,
  RecordOf,
  Season,
  SwapPair,
  SwapsRecord,
  TotalRecord,
} from "./wire.ts";
