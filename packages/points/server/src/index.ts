export { StoreSchemaError, StoreUnavailableError } from "@proj/database";
export { rankingNames } from "@proj/points-client/wire";
export type { AddressAudit } from "./audit/audit-address.ts";
export type { AuditedSwap } from "./audit/audit-swaps.ts";
export type { ContentReport } from "./content/import-content.ts";
export { demoContent, demoEvents } from "./demo/demo-events.ts";
export { demoProgram } from "./demo/demo-program.ts";
export type {
  DomainEvent,
  PointsEvent,
  PositionEvent,
  PricedSwapEvent,
  PriceEvent,
  RetractEvent,
  SwapEvent,
  ValuedSwapEvent,
} from "./events/event.ts";
export type { ClaimProofs } from "./export/claim-proofs.ts";
export {
  type ExportManifest,
  type ExportOptions,
  exportRanking,
} from "./export/export-ranking.ts";
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
export { type Cursor, CursorConflictError } from "./ledger/cursor.ts";
export { openPointsStore, type PointsStoreOptions } from "./open-points-store.ts";
export {
  type LogEntry,
  Operations,
  type OperationsOptions,
  type Readiness,
} from "./operations/operations.ts";
export type {
  BuildOptions,
  ContentOptions,
  ImportOptions,
  IngestOptions,
  PointsStore,
} from "./points-store.ts";
export { hermesSource } from "./price-sources/hermes-source.ts";
export { jupiterSource } from "./price-sources/jupiter-source.ts";
export type { PriceSource, SourcedPrice, SourceOptions } from "./price-sources/price-source.ts";
export {
  type PriceSchedule,
  type PricesOptions,
  startPrices,
} from "./price-sources/start-prices.ts";
export { isAddress } from "./program/address.ts";
export { ProgramError, parseProgram } from "./program/parse-program.ts";
export type {
  Program,
  PromotedPool,
  Quest,
  RateChange,
  Season,
  SwapPair,
} from "./program/program.ts";
export { ProgramChangeError } from "./program/program-history.ts";
export { loadSettings, parseSettings } from "./settings/parse-settings.ts";
export type { PointsSettings } from "./settings/points-settings.ts";
export { NoSnapshotError } from "./snapshots/no-snapshot-error.ts";
export type { PageQuery, RankingPage } from "./snapshots/page.ts";
export type { RecomputePreview } from "./snapshots/preview-recompute.ts";
export { SnapshotGoneError } from "./snapshots/snapshot-gone-error.ts";
export type { SnapshotInfo } from "./snapshots/snapshot-info.ts";
export { SnapshotSupersededError } from "./snapshots/snapshot-superseded-error.ts";
export {
  type ScheduleOptions,
  type SnapshotSchedule,
  startSnapshots,
} from "./start-snapshots.ts";
export type { StorageOptions } from "./storage/open-database.ts";
