export { type BuildOptions, type BuildResult, buildFeed } from "./build-feed.ts";
export { annotations } from "./check/annotations.ts";
export {
  type CheckOptions,
  checkModels,
  type ModelCheck,
  type ModelNotice,
} from "./check/check-models.ts";
export {
  type CheckedModel,
  type CheckReport,
  checkSentence,
  type ModelPlace,
} from "./check/check-report.ts";
export {
  type FindOptions,
  type FoundModel,
  type FoundModels,
  findModels,
} from "./check/find-models.ts";
export { type Paint, reportText } from "./check/report-text.ts";
export type { Catalogue, Change, KnownNotice } from "./collection/catalogue.ts";
export { type CollectOptions, collect } from "./collection/collect.ts";
export type { FeedState } from "./collection/feed-state.ts";
export type { ProviderStatus } from "./collection/provider-status.ts";
export type { FetchLimits } from "./collection/read-provider.ts";
export { FeedError } from "./consumer/feed-error.ts";
export type { ReadItem } from "./consumer/parse-feed.ts";
export { type Feed, type ReadFeedOptions, readFeed } from "./consumer/read-feed.ts";
export { type DailyRun, type DailyRunOptions, startDailyRun } from "./daily-run.ts";
export { type RolledNotice, rollUp } from "./extraction/roll-up.ts";
export type { Deprecation, DeprecationChange } from "./feeds/deprecation.ts";
export { siteFiles } from "./feeds/site-files.ts";
export type { CalendarDay, Notice, Provider } from "./notice.ts";
export { OutputError } from "./output/output-folder.ts";
export type { StateSource } from "./output/read-state.ts";
export { StateError } from "./output/state-error.ts";
export { providers } from "./providers/providers.ts";
export { type FeedListenerOptions, feedListener } from "./server/feed-listener.ts";
export { PublishedSite } from "./server/published-site.ts";
