export {
  type CheckOptions,
  checkModels,
  type ModelCheck,
  type ModelNotice,
} from "./check/check-models.ts";
export { checkSentence } from "./check/check-report.ts";
export { type FeedWarning, feedWarnings } from "./check/feed-warnings.ts";
export { FeedError } from "./consumer/feed-error.ts";
export type { FeedStatus, ProviderFreshness } from "./consumer/feed-status.ts";
export type { ReadItem } from "./consumer/parse-feed.ts";
export { type Feed, type ReadFeedOptions, readFeed } from "./consumer/read-feed.ts";
export type { Deprecation, DeprecationChange } from "./feeds/deprecation.ts";
export type { CalendarDay } from "./notice/notice.ts";
