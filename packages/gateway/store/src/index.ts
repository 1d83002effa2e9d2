export {
  monotonicMs,
  StoreInUseError,
  StoreReplacedError,
  StoreSchemaError,
  StoreUnavailableError,
} from "@proj/database";
export type { PostgresOptions } from "@proj/database/postgres";
export type * from "./environment-row.ts";
export type * from "./finished-groups.ts";
export { jobEnvironments } from "./job-environments.ts";
export type * from "./job-pages.ts";
export type { JobReader } from "./job-reader.ts";
export { readJobScores } from "./job-scores.ts";
export type * from "./job-store.ts";
export { defaultLargeValueBytes, largeRuns } from "./large-values.ts";
export { openCopy } from "./open-copy.ts";
export { openJobReader, openJobStore } from "./open-job-store.ts";
export { openStore, type StoreOptions } from "./open-store.ts";
export type { PostgresStoreOptions } from "./postgres/connect.ts";
export { openPostgresJobStore } from "./postgres/open-postgres-job-store.ts";
export { openPostgresStore } from "./postgres/open-postgres-store.ts";
export type * from "./prune.ts";
export { type PrunedCounts, type PruneOptions, pruneOld } from "./prune-old.ts";
export type * from "./review.ts";
export type * from "./route-state.ts";
export type * from "./score.ts";
export type * from "./session-fork.ts";
export { type Backup, backupSqliteStore } from "./sqlite/backup-sqlite-store.ts";
export { openSqliteJobStore } from "./sqlite/open-sqlite-job-store.ts";
export { openSqliteStore, type SqliteStoreOptions } from "./sqlite/open-sqlite-store.ts";
export { type CopiedStep, openSqliteCopy, type SqliteCopy } from "./sqlite/sqlite-copy.ts";
export { type StorageKind, storageKinds } from "./storage-kinds.ts";
export type * from "./store.ts";
export type * from "./store-browser.ts";
export { createTimeOrderedId } from "./time-ordered-id.ts";
export type * from "./tool-step.ts";
