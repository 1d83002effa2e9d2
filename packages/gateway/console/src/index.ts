export {
  type JobsBody,
  jobs,
  rows,
  type Simulation,
  type SimulationsBody,
  type SummaryBody,
  simulations,
  summary,
  type UsageBody,
  usage,
} from "./answers/browse.ts";
export { browsed, type ViewedStore } from "./answers/browsed.ts";
export type {
  OverviewBody,
  ReplicaOverview,
  RouteOverview,
  RouteTraffic,
  StorageOverview,
} from "./answers/overview.ts";
export { QueryError } from "./answers/query.ts";
export { type ScoresBody, scores, scoresOf } from "./answers/scores.ts";
export {
  type BegunSession,
  type FindLive,
  type LiveState,
  type StoredSession,
  type StoredSessionsBody,
  storedSessions,
} from "./answers/stored-sessions.ts";
export { ExportFileError, type OpenedExport, openExport } from "./export-file/open-export.ts";
export { dollars } from "./quantities/dollars.ts";
export { consolePath, servePage } from "./serving/console-page.ts";
export type { Review } from "./serving/review.ts";
export { createViewServer } from "./serving/view-server.ts";
export { jobPage, storagePage } from "./stored-page/stored-page.ts";
