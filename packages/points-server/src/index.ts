export { demoContent, demoEvents } from "./demo/demo-events.ts";
export { demoProgram } from "./demo/demo-program.ts";
export type {
  DomainEvent,
  PointsEvent,
  PositionEvent,
  PriceEvent,
  SwapEvent,
} from "./events/event.ts";
export { type PointsListenerOptions, pointsListener } from "./http/points-listener.ts";
export {
  checkSignature,
  type SignatureCheck,
  type SignedRequest,
} from "./ingest/check-signature.ts";
export {
  ImportError,
  type ImportReport,
  type LineError,
  type OnError,
} from "./ingest/import-report.ts";
export type { FileFormat } from "./ingest/read-lines.ts";
export { openPointsStore, type PointsStoreOptions } from "./open-points-store.ts";
export type {
  BuildOptions,
  ContentOptions,
  ContentReport,
  ImportOptions,
  IngestOptions,
  PointsStore,
} from "./points-store.ts";
export { isAddress } from "./program/address.ts";
export { ProgramError, parseProgram } from "./program/parse-program.ts";
export type { Program, PromotedPool, Quest, SwapPair } from "./program/program.ts";
export { parseSettings, SettingsError } from "./settings/parse-settings.ts";
export type { PointsSettings } from "./settings/points-settings.ts";
export type { PageQuery, RankingPage } from "./snapshots/page.ts";
export { SnapshotGoneError } from "./snapshots/snapshot-gone-error.ts";
export type { SnapshotInfo } from "./snapshots/snapshot-info.ts";
export { SnapshotSupersededError } from "./snapshots/snapshot-superseded-error.ts";
export {
  type ScheduleOptions,
  type SnapshotSchedule,
  startSnapshots,
} from "./snapshots/start-snapshots.ts";
export type { StorageOptions } from "./storage/open-database.ts";
export { StoreSchemaError, StoreUnavailableError } from "./storage/store-errors.ts";
