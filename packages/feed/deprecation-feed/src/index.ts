export { annotations } from "./check/annotations.ts";
export { checkBadge } from "./check/badge.ts";
export { type Baseline, baselineOf, beyondBaseline, parseBaseline } from "./check/baseline.ts";
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
export { type FeedWarning, feedWarnings } from "./check/feed-warnings.ts";
export {
  type FindOptions,
  type FoundModel,
  type FoundModels,
  findModels,
  type SkippedFile,
} from "./check/find-models.ts";
export { jobSummary } from "./check/job-summary.ts";
export { type Paint, reportText } from "./check/report-text.ts";
export { sarif } from "./check/sarif.ts";
export { suggestModels } from "./check/suggestions.ts";
export type { Catalogue, Change, KnownNotice } from "./collection/catalogue.ts";
export { type CollectOptions, collect } from "./collection/collect.ts";
export type { FeedState } from "./collection/feed-state.ts";
export type { HeldRow } from "./collection/judge-rows.ts";
export type { ModelStatus } from "./collection/model-status.ts";
export type { PageCondition } from "./collection/page-condition.ts";
export type { ProviderStatus } from "./collection/provider-status.ts";
export type { FetchLimits } from "./collection/read-provider.ts";
export { type RowChange, rowChanges } from "./collection/row-changes.ts";
export { FeedError } from "./consumer/feed-error.ts";
export type { FeedStatus, ProviderFreshness } from "./consumer/feed-status.ts";
export type { ReadItem } from "./consumer/parse-feed.ts";
export { type Feed, type ReadFeedOptions, readFeed } from "./consumer/read-feed.ts";
export { type RolledNotice, rollUp } from "./extraction/roll-up.ts";
export type { UnreadLine } from "./extraction/unread.ts";
export type { Deprecation, DeprecationChange } from "./feeds/deprecation.ts";
export {
  type BuildOptions,
  type BuildResult,
  buildFeed,
  NothingReadError,
} from "./job/build-feed.ts";
export {
  type DailyRun,
  type DailyRunOptions,
  type RunKind,
  startDailyRun,
} from "./job/daily-run.ts";
export { notifyOfChanges, type WebhookTarget } from "./job/notify.ts";
export type { CalendarDay, Notice, PageState, Provider } from "./notice/notice.ts";
export { isOnPlatform } from "./notice/platforms.ts";
export { OutputError } from "./output/output-folder.ts";
export type { StateSource } from "./output/read-state.ts";
export { siteFiles } from "./output/site-files.ts";
export { StateError } from "./output/state-error.ts";
export { providers } from "./providers/providers.ts";
export { type FeedListenerOptions, feedListener } from "./server/feed-listener.ts";
export { PublishedSite } from "./server/published-site.ts";
