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
export { type NumberForm, NumericStringError, numericToBigInt } from "./numbers/numeric-string.ts";
export { scaledText } from "./numbers/scaled-text.ts";
export {
  createPointsClient,
  type PointsClient,
  type PointsClientOptions,
} from "./points-client.ts";
export type { ContentProgramEntry } from "./wire/content-program.ts";
export type { PointsConfig, PromotedPool, SwapPair } from "./wire/points-config.ts";
export type { PriceFeedEntry, PriceFeeds, Prices } from "./wire/prices.ts";
export type { QuestDescription, QuestState } from "./wire/quest.ts";
export type {
  Leaderboard,
  LpRecord,
  RankedRecord,
  Ranking,
  RecordOf,
  SwapsRecord,
  TotalRecord,
} from "./wire/ranking.ts";
